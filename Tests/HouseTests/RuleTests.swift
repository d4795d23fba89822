import Foundation
import Testing

@Suite("The rules for sources", .timeLimit(.minutes(1)))
struct RuleTests {
    private static let product = ["Modules", "Transports"]
    private static let everything = ["Modules", "Transports", "Tests", "Tools"]

    /// A construct that the code of the products must not contain, and the reason.
    struct Ban: Sendable, CustomTestStringConvertible {
        let name: String
        let pattern: String
        let reason: String

        var testDescription: String { name }
    }

    static let bans = [
        Ban(name: "fatalError", pattern: #"\bfatalError\s*\("#, reason: "input gets an error, not a trap"),
        Ban(name: "try!", pattern: #"\btry!"#, reason: "an error is handled or passed on"),
        Ban(name: "as!", pattern: #"\bas!"#, reason: "a cast that can fail is written with as?"),
        Ban(name: "print", pattern: #"(?:^|[^.\w])print\s*\("#, reason: "a library leaves the standard output alone"),
    ]

    @Test("the products' code has none", arguments: bans)
    func banned(ban: Ban) throws {
        let pattern = try Regex(ban.pattern)
        let found = try Self.sources(Self.product).flatMap { source in
            // The name first: a plain search is many times faster than a pattern.
            source.code.indices.filter { source.code[$0].contains(ban.name) && source.code[$0].contains(pattern) }
                .map { "\(source.place($0)) has \(ban.name): \(ban.reason)" }
        }
        expectNone(found)
    }

    @Test("no comment defers work")
    func noUnfinishedWork() throws {
        let found = try Self.sources(Self.product).flatMap { source in
            source.comments.indices
                .filter { line in ["TO" + "DO", "FIX" + "ME"].contains { source.comments[line].contains($0) } }
                .map { "\(source.place($0)) puts something off" }
        }
        expectNone(found)
    }

    @Test("a comment above each @unchecked Sendable names its protection")
    func uncheckedSendableIsExplained() throws {
        let protections = ["lock", "mutex", "immutable", "confined", "guard", "owned"]
        let found = try Self.sources(Self.everything).flatMap { source in
            source.code.indices.filter { source.code[$0].contains("@unchecked Sendable") }
                .filter { line in
                    // Above it, where a reader looks; a comment in the body says it too late.
                    let above = source.comments[max(0, line - 6)...line].joined(separator: " ").lowercased()
                    return !protections.contains { above.contains($0) }
                }
                .map { "\(source.place($0)) does not say why it is @unchecked" }
        }
        expectNone(found)
    }

    @Test("no file is longer than 500 lines")
    func filesAreShort() throws {
        let found = try Self.sources(Self.everything).filter { $0.lineCount > 500 }
            .map { "\($0.path) has \($0.lineCount) lines" }
        expectNone(found)
    }

    @Test("no Package.resolved is tracked: users resolve for themselves", .enabled(if: Repository.isCheckout))
    func packageResolvedIsNotTracked() async throws {
        let tracked = try await Program("git", ["-C", Repository.root.path, "ls-files"]).run()
        let resolved = tracked.split(separator: "\n").filter { $0.hasSuffix("Package.resolved") }
        expectNone(resolved.map { "\($0) is tracked" })
    }

    private static func sources(_ folders: [String]) throws -> [SwiftSource] {
        try folders.flatMap { try Repository.swiftFiles(in: $0) }
    }
}
