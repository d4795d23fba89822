import Airframe
import ArgumentParser
import Foundation
import HTTPTypes

/// Reads the directory of `airframe get --cache` and `URLCache`.
struct CacheCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache",
        abstract: "List, show, remove or verify the responses in a cache's directory.",
        subcommands: [List.self, Show.self, Remove.self, Verify.self]
    )

    /// The directory of the cache.
    struct Directory: ParsableArguments {
        @Argument(help: "The cache's directory.") var path: String

        func open() throws -> DiskCacheStore {
            let path = (path as NSString).expandingTildeInPath
            var isDirectory: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), isDirectory.boolValue else {
                throw ValidationError("there is no directory \(path)")
            }
            return DiskCacheStore(directory: path, capacity: .max)
        }
    }

    /// `airframe cache ls DIR`
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "ls", abstract: "List the stored responses: status, bytes, age, freshness and URL.")
        @OptionGroup var directory: Directory
        @Flag(name: .customLong("show-secrets"), help: "Do not hide secrets in URLs.") var showsSecrets = false

        func run() throws {
            let now = Date()
            for entry in try directory.open().allEntries().sorted(by: { $0.key.uri < $1.key.uri }) {
                let remaining = entry.freshnessLifetime - entry.age(at: now)
                let state = remaining > 0 ? "fresh \(Self.seconds(remaining))" : "stale \(Self.seconds(-remaining))"
                let url = showsSecrets ? entry.key.uri : RedactionPolicy.standard.url(entry.key.uri)
                let columns = [
                    "\(entry.head.status.code)", "\(entry.contentLength)", "age \(Self.seconds(entry.age(at: now)))",
                    state, url,
                ]
                try StandardOutput.write(columns.map(\.printable).joined(separator: "\t") + "\n")
            }
        }

        private static func seconds(_ count: Double) -> String { "\(Int(min(max(0, count), 1e12)))s" }
    }

    /// `airframe cache show DIR URL`
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Write the head of a stored response, or with --body its content.")
        @OptionGroup var directory: Directory
        @Argument(help: "The URL.") var url: String
        @Flag(name: .long, help: "Write the content as it is stored, with its content codings.") var body = false
        @Flag(name: .customLong("show-secrets"), help: "Do not hide secrets in fields.") var showsSecrets = false

        func run() async throws {
            let store = try directory.open()
            let entries = try await store.entries(for: try CacheCommand.key(of: url))
            guard !entries.isEmpty else { throw LookupFailure("nothing is stored for \(url)") }
            for entry in entries {
                guard !body else {
                    guard let content = try await store.content(of: entry) else {
                        throw LookupFailure("the content stored for \(url) is damaged")
                    }
                    try StandardOutput.write(try content.bytes())
                    continue
                }
                let fields =
                    showsSecrets ? entry.head.headerFields : RedactionPolicy.standard.redacted(entry.head.headerFields)
                let lines = fields.map { "\($0.name.rawName): \($0.value.printable)\n" }.joined()
                try StandardOutput.write("\(entry.head.status.code)\n\(lines)\n")
            }
        }
    }

    /// `airframe cache rm DIR [URL…]`
    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rm", abstract: "Remove the responses stored for URLs, or with --all every one.")
        @OptionGroup var directory: Directory
        @Argument(help: "The URLs.") var urls: [String] = []
        @Flag(name: .long, help: "Remove all responses.") var all = false

        func validate() throws {
            if urls.isEmpty != all { throw ValidationError("name URLs, or give --all") }
        }

        func run() async throws {
            let store = try directory.open()
            if all { try await store.removeAll(since: nil) }
            for url in urls { try await store.removeAll(for: try CacheCommand.key(of: url)) }
        }
    }

    /// `airframe cache verify DIR`
    struct Verify: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "verify",
            abstract: "Read all responses and check them against their checksums; exit with 1 if any is damaged.")
        @OptionGroup var directory: Directory

        func run() throws {
            let (intact, damages) = try directory.open().verify()
            for damage in damages { try StandardOutput.write("damaged\t\(damage.description.printable)\n") }
            try StandardOutput.write("\(intact) intact, \(damages.count) damaged\n")
            if !damages.isEmpty { throw ExitCode(1) }
        }
    }

    /// A response that cannot be shown. The command was used correctly, so that its usage is not printed.
    private struct LookupFailure: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }
    }

    private static func key(of url: String) throws -> CacheKey {
        guard let parsed = URL(string: url), let head = URLRequest(url: parsed).cacheHead,
            let key = CacheKey(head)
        else { throw ValidationError("'\(Redaction.invalidURL(url))' is not a URL of http or https") }
        return key
    }
}

extension URLRequest {
    /// The head of a `GET` for the URL.
    fileprivate var cacheHead: HTTPRequest? {
        guard let url, let host = url.host(percentEncoded: true) else { return nil }
        let port = url.port.map { ":\($0)" } ?? ""
        let path = url.path(percentEncoded: true)
        let query = url.query(percentEncoded: true).map { "?\($0)" } ?? ""
        return HTTPRequest(
            method: .get, scheme: url.scheme, authority: host + port, path: (path.isEmpty ? "/" : path) + query)
    }
}
