import Foundation
import Testing

@Suite("Options and guides", .timeLimit(.minutes(5)))
struct OptionGuideTests {
    /// The ends of the names of types whose properties are options of a session, a request, an engine or a layer.
    static let options = [
        "Configuration", "Options", "Settings", "Policy", "Limits", "Rules", "Rule", "Thresholds", "KeepAlive",
        "Levels", "Compression", "Conditions", "Rates", "Proxy", "Override", "Style", "Window",
    ]

    /// The ends of the names of types that take options as arguments of their initializers.
    static let makers = [
        "Layer", "Transport", "Monitor", "Logger", "Recorder", "Retrier", "Policy", "Compressor", "Interceptor",
        "Evaluator", "Encoder", "Encoding", "Serializer", "Store", "Breaker", "Budget", "Coordinator", "Receiver",
        "Format", "Queue", "Inspector", "URLCache", "Jar", "Signer", "Verifier", "Session", "PinSet", "OAuthServer",
    ]

    /// The modules with options. Those left out spell Apple's and Alamofire's old names, or are for writers of engines.
    static let modules = House.modules.filter { module in
        !["AirframeAppleNames", "AirframeLegacy", "AirframeFoundation", "AirframeConformance"].contains(module.name)
    }

    /// Properties that set nothing, and arguments that conformances dictate.
    static let dictated: Set<String> = [
        "customMirror", "requiredFeatures", "description", "debugDescription", "hashValue", "from", "rawValue",
        "stringLiteral", "dictionaryLiteral", "arrayLiteral", "base",
    ]

    @Test("every option appears in a guide", arguments: modules)
    func optionsAreDescribed(module: Module) async throws {
        let code = try Self.codeOfGuides()
        let names = try await Self.options(of: module)
        expectNone(names.filter { !code.contains($0.option) }.map { "no guide mentions \($0.type).\($0.option)" })
    }

    @Test(
        "the options of a module are found",
        arguments: [
            ("AirframeCore", "URLSessionConfiguration", "httpsOnly"), ("AirframeTransport", "PhaseLimits", "tls"),
            ("AirframeSocket", "SocketTransport.Configuration", "reactorCount"),
            ("AirframeLayers", "CircuitBreakerLayer", "failureStatuses"), ("AirframeCache", "CachePolicy", "kind"),
        ])
    func optionsAreFound(name: String, type: String, option: String) async throws {
        let module = try #require(House.modules.first { $0.name == name })
        let found = try await Self.options(of: module, as: "options-found")
        #expect(found.contains { $0.type == type && $0.option == option })
    }

    /// The stored properties of types of options, and the labels of initializers of types that take options.
    private static func options(of module: Module, as folder: String = "options") async throws -> [(
        type: String, option: String
    )] {
        let built = try BuiltModules()
        let graphs = try await SymbolGraph.all(of: module, in: built, as: folder)
        let named = graphs.flatMap(\.symbols).filter { $0.pathComponents.count > 1 && !$0.isUnavailable }
        return named.flatMap { symbol -> [(type: String, option: String)] in
            let type = symbol.pathComponents.dropLast().joined(separator: ".")
            switch symbol.kind.identifier {
            case "swift.property" where options.contains { type.hasSuffix($0) }:
                return symbol.isStored ? symbol.pathComponents.suffix(1).map { (type, $0) } : []
            case "swift.init" where makers.contains { type.hasSuffix($0) }:
                return symbol.labels.map { (type, $0) }
            default:
                return []
            }
        }.filter { !dictated.contains($0.option) }
    }

    /// The identifiers in the code of all guides: in spans and in blocks.
    private static func codeOfGuides() throws -> Set<String> {
        var words: Set<String> = []
        for file in try Repository.files(in: "Docs/Guides", { $0.pathExtension == "md" }) {
            let text = try String(contentsOf: file, encoding: .utf8)
            for (index, part) in text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            where index % 2 == 1 {
                words.formUnion(part.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init))
            }
        }
        return words
    }
}

extension SymbolGraph.Symbol {
    /// Whether a property can be set by its owner: it is not a computed property without a setter.
    fileprivate var isStored: Bool { !declaration.contains("{ get }") }

    /// The labels of the arguments.
    fileprivate var labels: [String] {
        (declarationFragments ?? []).filter { $0.kind == "externalParam" && $0.spelling != "_" }.map(\.spelling)
    }

    /// Whether the symbol exists so that its use fails to compile with a hint, or is deprecated.
    fileprivate var isUnavailable: Bool {
        (availability ?? []).contains {
            $0.isUnconditionallyUnavailable == true || $0.isUnconditionallyDeprecated == true
        }
    }

    private var declaration: String { (declarationFragments ?? []).map(\.spelling).joined() }
}
