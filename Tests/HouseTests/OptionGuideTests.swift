import Foundation
import Testing

@Suite("Options and guides", .timeLimit(.minutes(2)))
struct OptionGuideTests {
    /// Types whose properties are options of a session, of a request or of an engine.
    static let types: [(module: String, type: String)] = [
        ("AirframeCore", "URLSessionConfiguration"), ("AirframeCore", "TransferRates"),
        ("AirframeTransport", "TransportOptions"), ("AirframeTransport", "PhaseLimits"),
        ("AirframeTransport", "TLSOptions"), ("AirframeTransport", "SocketSettings"),
        ("AirframeTransport", "Proxy"), ("AirframeTransport", "ResolveOverride"),
        ("AirframeLayers", "RedirectRules"),
    ]

    /// Properties that set nothing.
    static let derived: Set<String> = ["customMirror", "requiredFeatures", "description", "debugDescription"]

    @Test("every option appears in a guide", arguments: types)
    func optionsAreDescribed(module: String, type: String) async throws {
        let code = try Self.codeOfGuides()
        let row = try #require(House.modules.first { $0.name == module })
        let symbols = try await SymbolGraph.all(of: row, in: BuiltModules(), as: "options-\(type)").flatMap(\.symbols)
        let names = symbols.filter { symbol in
            symbol.kind.identifier == "swift.property" && symbol.pathComponents.dropLast() == [type]
        }.compactMap(\.pathComponents.last).filter { !Self.derived.contains($0) }
        try #require(!names.isEmpty, "\(type) has no properties: the graph is that of another module")
        expectNone(Set(names).subtracting(code).sorted().map { "no guide mentions \(type).\($0)" })
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
