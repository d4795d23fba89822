import Airframe
import AirframeCommandLine
import Foundation
import HTTPTypes

/// Writes a response: its head to standard output, and its content there, to a file or to a device, raw as it comes or
/// formatted when it is whole.
struct ResponseWriter {
    /// The file or device for the content; `nil` for standard output.
    private let device: OutputDevice?
    private let mode: BodyFormatter.Mode
    private let style: TextStyle
    private let headStyle: TextStyle
    private let includesHead: Bool
    /// Whether the content of an error response leaves the file as it was.
    private let keepsFileOnError: Bool
    private var writesBody: Bool

    /// Content that waits for its end; `nil` where it is written as it comes.
    private var collected: Data?
    private var mediaType: String?
    /// The bytes that were taken, where they are too many to be shown.
    private var skipped: Int64 = 0
    private var isBinary = false
    private var pieces = UTF8Pieces()

    init(_ options: OutputOptions, includesHead: Bool) {
        device = options.target.map { OutputDevice(path: $0) }
        let isTerminal = Terminal.output.isTerminal && device == nil
        mode = device == nil ? options.mode : options.fileMode
        style = TextStyle(
            usesColours: Terminal.output.style.usesColours || options.pretty != nil && !isTerminal && Self.wantsColour,
            usesUnicode: Terminal.output.style.usesUnicode)
        headStyle = options.mode == .all || options.mode == .colors ? style : .plain
        // The lines of --json have the head.
        self.includesHead = (includesHead || options.include) && !options.json
        keepsFileOnError = options.fail && device != nil
        writesBody = device != nil || !(options.quiet && isTerminal) && !options.json
    }

    /// Colours were asked for by `--pretty`, and not refused by the environment.
    private static var wantsColour: Bool {
        (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty
    }

    /// Writes the head, and chooses the form of the content.
    mutating func begin(_ response: HTTPURLResponse) throws {
        if includesHead { try writeHead(response) }
        if keepsFileOnError, response.statusCode >= 400 { writesBody = false }
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
        isBinary = device == nil && content.contains(0)
        collected = nil
        try passOn(content)
    }

    private mutating func passOn(_ chunk: Data) throws {
        if isBinary {
            skipped += Int64(chunk.count)
        } else if mode == .none || device != nil {
            try write(chunk)
        } else {
            try write(Data(pieces.text(chunk).safeForTerminals.utf8))
        }
    }

    /// Writes the bytes that were held back.
    mutating func finish() throws {
        guard writesBody else { return }
        // A file is made for an empty body too.
        try device?.prepare()
        if let collected, !collected.isEmpty {
            let formatter = BodyFormatter(mode, style: style)
            // A file receives an image as it is, and no summary of it.
            let isFormatted = device == nil || formatter.isText(collected, mediaType: mediaType)
            try write(isFormatted ? Data(formatter.text(collected, mediaType: mediaType).utf8) : collected)
        }
        try write(Data(pieces.finish().utf8))
        if isBinary {
            try write(Data("[\(Quantities.bytes(skipped)) that are not text, not shown: write them with -o]\n".utf8))
        }
        collected = nil
    }

    private func write(_ data: Data) throws {
        if let device { try device.write(data) } else { try StandardOutput.write(data) }
    }

    private func writeHead(_ head: HTTPURLResponse) throws {
        let status = "\((head.httpVersion ?? .http1_1).rawValue) \(head.statusCode) \(ReasonPhrase.of(head))"
        let fields = head.headerFields.map {
            "\(headStyle.paint($0.name.rawName, .name)): \($0.value.safeForTerminals)\n"
        }
        let line = headStyle.paint(status.safeForTerminals, TextStyle.role(ofStatus: head.statusCode))
        try StandardOutput.write("\(line)\n\(fields.joined())\n")
    }
}
