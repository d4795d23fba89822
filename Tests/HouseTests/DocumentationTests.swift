import Foundation
import Testing

@Suite("Documentation of the public symbols", .timeLimit(.minutes(5)))
struct DocumentationTests {
    @Test("every public symbol has a doc comment", arguments: House.modules)
    func publicSymbolsAreDocumented(module: Module) async throws {
        let built = try BuiltModules()
        try #require(built.contains(module), "\(module.name) was not built with the tests; run all of `swift test`")
        let graphs = try await SymbolGraph.all(of: module, in: built)
        #expect(!graphs.isEmpty, "no symbols were extracted from \(module.name)")
        let missing = graphs.flatMap(\.symbols).compactMap(\.placeWithoutDocumentation)
        expectNone(Set(missing).sorted())
    }
}

/// The public symbols of a module, from the compiler.
struct SymbolGraph: Decodable {
    let symbols: [Symbol]

    /// The graph of a module and those of its extensions of other modules.
    ///
    /// - Parameter name: The folder of the output, which tests that run concurrently must not share.
    static func all(of module: Module, in built: BuiltModules, as name: String = "all") async throws -> [SymbolGraph] {
        let output = Repository.scratch.appending(path: "symbols/\(name)/\(module.name)")
        try? FileManager.default.removeItem(at: output)
        try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
        let target = try await TargetInfo.current().target.triple
        let arguments =
            ["symbolgraph-extract", "-module-name", module.name, "-target", target]
            + ["-minimum-access-level", "public", "-skip-synthesized-members", "-output-dir", output.path]
        _ = try await Program("swift", arguments + built.searchArguments()).run()
        return try FileManager.default.contentsOfDirectory(at: output, includingPropertiesForKeys: nil)
            .map { try JSONDecoder().decode(SymbolGraph.self, from: Data(contentsOf: $0)) }
    }

    struct Symbol: Decodable {
        struct Kind: Decodable {
            let identifier: String
        }

        struct Comment: Decodable {
            struct Line: Decodable {
                let text: String
            }

            let lines: [Line]
        }

        struct Location: Decodable {
            struct Position: Decodable {
                let line: Int
            }

            let uri: String
            let position: Position
        }

        /// A token of a declaration, such as a keyword or the label of an argument.
        struct Fragment: Decodable {
            let kind: String
            let spelling: String
        }

        struct Availability: Decodable {
            let isUnconditionallyUnavailable: Bool?
            let isUnconditionallyDeprecated: Bool?
        }

        let kind: Kind
        let pathComponents: [String]
        let docComment: Comment?
        let location: Location?
        let declarationFragments: [Fragment]?
        let availability: [Availability]?

        /// `file:line name` if the symbol is declared in this repository and has no comment.
        ///
        /// A witness that inherits the comment of its requirement has that comment here. An extension is not a symbol
        /// of its own: its members are.
        var placeWithoutDocumentation: String? {
            guard let location, let url = URL(string: location.uri), kind.identifier != "swift.extension",
                docComment?.lines.contains(where: { !$0.text.isEmpty }) != true
            else { return nil }
            let path = Repository.path(of: url)
            return "\(path):\(location.position.line + 1) \(pathComponents.joined(separator: "."))"
        }
    }
}

/// The compiler's description of the target platform.
private struct TargetInfo: Decodable {
    struct Target: Decodable {
        let triple: String
    }

    let target: Target

    static func current() async throws -> TargetInfo {
        let json = try await Program("swiftc", ["-print-target-info"]).run()
        return try JSONDecoder().decode(TargetInfo.self, from: Data(json.utf8))
    }
}
