import Airframe
import AirframeCommandLine
import Foundation
import HTTPTypes

/// Writes a response to standard output, or to a device: raw as it comes, or formatted when it is whole.
struct ResponseWriter {
    /// Where bytes go.
    private let write: (Data) throws -> Void
    private let mode: BodyFormatter.Mode
    private let style: TextStyle
    private let includesHead: Bool
    private let writesBody: Bool

    /// Content that waits for its end; `nil` where it is written as it comes.
    private var collected: Data?
    private var mediaType: String?
    /// The bytes that were taken, where they are too many to be shown.
    private var skipped: Int64 = 0
    private var isBinary = false

    init(_ options: OutputOptions, includesHead: Bool, write: @escaping (Data) throws -> Void = StandardOutput.write) {
        self.write = write
        let isTerminal = Terminal.output.isTerminal && options.target == nil
        mode = options.target == nil ? options.mode : .none
        style = TextStyle(
            usesColours: Terminal.output.style.usesColours || options.pretty != nil && !isTerminal && Self.wantsColour,
            usesUnicode: Terminal.output.style.usesUnicode)
        self.includesHead = includesHead || options.include
        writesBody = !(options.quiet && isTerminal) && !options.json
    }

    /// Colours were asked for by `--pretty`, and not refused by the environment.
    private static var wantsColour: Bool {
        (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty
    }

    /// Writes the head, and chooses the form of the content.
    mutating func begin(_ response: HTTPURLResponse) throws {
        if includesHead { try writeHead(response) }
        mediaType = response.value(forHTTPHeaderField: "Content-Type")
        let streams = ["text/event-stream", "application/x-ndjson", "application/json-seq", "application/jsonl"]
        collected = mode == .none || streams.contains(BodyFormatter.essence(mediaType)) ? nil : Data()
    }

    /// Takes content.
    mutating func take(_ chunk: Data) throws {
        guard writesBody else { return }
        guard collected != nil else { return try passOn(chunk) }
        collected?.append(chunk)
        guard let content = collected, content.count > BodyFormatter.largestBody else { return }
        // Too long to format: the rest is written as it arrives, unless it is not text.
        isBinary = content.contains(0)
        collected = nil
        try passOn(content)
    }

    private mutating func passOn(_ chunk: Data) throws {
        if isBinary {
            skipped += Int64(chunk.count)
        } else if mode == .none {
            try write(chunk)
        } else {
            try write(Data(String(decoding: chunk, as: UTF8.self).safeForTerminals.utf8))
        }
    }

    /// Writes the bytes that were held back.
    mutating func finish() throws {
        if let collected, !collected.isEmpty {
            try write(Data(BodyFormatter(mode, style: style).text(collected, mediaType: mediaType).utf8))
        }
        if isBinary {
            try write(Data("[\(Quantities.bytes(skipped)) that are not text, not shown: write them with -o]\n".utf8))
        }
        collected = nil
    }

    private func writeHead(_ head: HTTPURLResponse) throws {
        let status = "\((head.httpVersion ?? .http1_1).rawValue) \(head.statusCode) \(ReasonPhrase.of(head))"
        let painter = mode == .all || mode == .colors ? style : .plain
        let fields = head.headerFields.map {
            "\(painter.paint($0.name.rawName, .name)): \($0.value.safeForTerminals)\n"
        }
        let line = painter.paint(status.safeForTerminals, TextStyle.role(ofStatus: head.statusCode))
        try write(Data("\(line)\n\(fields.joined())\n".utf8))
    }
}
