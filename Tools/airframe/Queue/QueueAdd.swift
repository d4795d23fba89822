import Airframe
import AirframeCommandLine
import ArgumentParser
import Foundation

/// `airframe queue add QUEUE URL`
struct QueueAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a download or an upload, and write its number.",
        discussion: "Credentials are never stored: give them to `run` with --header-file."
    )

    @OptionGroup var file: QueueFile
    @Argument(help: "The URL to download from, or to upload to.") var url: String
    @Option(name: .shortAndLong, help: "The file to download to; by default the last component of the URL.")
    var output: String?
    @Option(name: .long, help: "Upload this file.") var upload: String?
    @Option(name: .long, help: "The method of an upload, by default POST.") var method: String?
    @Flag(name: .long, help: "Upload by tus 1.0 instead of the IETF's resumable uploads.") var tus = false
    @Option(name: [.customShort("H"), .long], help: "A header field, 'Name: value'. May be repeated.")
    var header: [String] = []
    @Option(name: .long, help: "The maximum number of parts that are downloaded concurrently.") var segments = 1
    @Option(name: .long, help: "Another URL of the same file. May be repeated.") var mirror: [String] = []
    @Option(name: .long, help: "The hash that the file must have, 'sha-256:…'.") var checksum: String?
    @Flag(name: .long, help: "Replace a file that is there.") var overwrite = false
    @Option(name: .long, help: "A tag. May be repeated.") var tag: [String] = []
    @Option(name: .long, help: "Transfers with a higher number start earlier.") var priority = 0
    @Option(name: .long, help: "A transfer that must complete first. May be repeated.") var after: [Int64] = []
    @Flag(name: .customLong("no-metered"), help: "Wait while the network is metered.") var avoidsMetered = false
    @Option(name: .long, help: "The most attempts in a row without progress.") var attempts = 8

    func validate() throws {
        if upload == nil {
            try RequestOptions.refuse("only uploads have a method", ("--tus", tus), ("--method", method != nil))
        } else {
            try RequestOptions.refuse("an upload writes no file", ("--overwrite", overwrite))
        }
    }

    func run() async throws {
        let id = try await file.open(mayCreate: true).add(description())
        try StandardOutput.write("\(id)\n")
    }

    private func description() throws -> TransferDescription {
        let target = try Self.parsed(url)
        var description: TransferDescription
        if let upload {
            guard output == nil, mirror.isEmpty, checksum == nil, segments == 1 else {
                throw ValidationError("--output, --mirror, --checksum and --segments are for downloads")
            }
            description = .upload(
                Self.absolute(upload), to: target, method: HTTPMethod(rawValue: method ?? "POST"),
                using: tus ? .tus() : .ietf)
        } else {
            description = .download(from: target, to: try destination(target))
            description.work = .download(try download(try destination(target)))
        }
        description.headers = try header.enumerated().map { try Self.field($0, $1) }
        description.tags = Set(tag)
        description.priority = priority
        description.dependencies = after.map(TransferID.init(rawValue:))
        description.conditions.allowsMetered = !avoidsMetered
        description.conditions.requiresConnectivity = !target.isLocal
        description.retry.attempts = attempts
        return description
    }

    private func download(_ destination: URL) throws -> DownloadDescription {
        var download = DownloadDescription(file: destination)
        download.segments = segments
        download.mirrors = try mirror.map(Self.parsed)
        download.replacesFile = overwrite
        guard let checksum else { return download }
        guard let read = TransferChecksum(checksum) else {
            throw ValidationError("'\(checksum)' is not a checksum: write 'sha-256:' and 64 hexadecimal digits")
        }
        download.checksum = read
        return download
    }

    private func destination(_ url: URL) throws -> URL {
        if let output { return Self.absolute(output) }
        guard let name = RequestURL.fileName(url.lastPathComponent) else {
            throw ValidationError("the URL names no file: say where to write with --output")
        }
        return Self.absolute(name)
    }

    /// The queue may be run from another directory.
    private static func absolute(_ path: String) -> URL { URL(commandPath: path).absoluteURL.standardizedFileURL }

    private static func parsed(_ text: String) throws -> URL {
        guard let url = URL(string: text), url.host != nil else {
            throw ValidationError("'\(Redaction.invalidURL(text))' is not a URL of http or https")
        }
        return url
    }

    private static func field(_ index: Int, _ text: String) throws -> TransferDescription.Field {
        guard let header = HTTPHeader(line: text) else {
            // The text may be a value, and so a secret.
            throw ValidationError("header field \(index + 1) has no name or no colon: write 'Name: value'")
        }
        return TransferDescription.Field(name: header.name, value: header.value)
    }
}

extension URL {
    /// Whether the server is this machine, which needs no network.
    fileprivate var isLocal: Bool {
        guard let host = host?.lowercased() else { return false }
        return host == "localhost" || host.hasPrefix("127.") || host == "::1" || host == "[::1]"
    }
}

extension HTTPHeader {
    /// Reads a line, `Name: value`.
    init?(line: some StringProtocol) {
        guard let colon = line.firstIndex(of: ":"), colon != line.startIndex else { return nil }
        self.init(
            name: String(line[..<colon]),
            value: line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces))
    }
}
