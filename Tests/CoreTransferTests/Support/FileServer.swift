import Airframe
import Foundation
import HTTPTypes
import Synchronization

/// A transport that behaves like a server of one file, with configurable faults.
final class FileServer: Transport {
    /// An answer, and where its body breaks off.
    struct Answer: Sendable {
        var status = 200
        var fields: HTTPFields = [:]
        var body = Data()
        /// How many bytes come before the connection is lost; `nil` for all of them.
        var cut: Int?
        /// Whether the body stands still after its bytes, until the exchange is ended.
        var isHeld = false
    }

    let capabilities = TransportCapabilities(engine: "file server", features: TransportFeatures(rawValue: .max))
    private let answer: @Sendable (HTTPRequest) -> Answer
    private let sent = Mutex<[HTTPRequest]>([])

    init(_ answer: @escaping @Sendable (HTTPRequest) -> Answer) { self.answer = answer }

    var requests: [HTTPRequest] { sent.withLock { $0 } }

    /// The `Range` of each request that had one.
    var ranges: [String] { requests.compactMap { $0.headerFields[.range] } }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        sent.withLock { $0.append(request.head) }
        let answer = answer(request.head)
        var head = HTTPResponse(status: .init(code: answer.status), headerFields: answer.fields)
        if head.headerFields[.contentLength] == nil { head.headerFields[.contentLength] = "\(answer.body.count)" }
        if head.headerFields[.contentLength] == "" { head.headerFields[.contentLength] = nil }
        return TransportResponse(head: head, body: ResponseBody(ServedBody(answer)), request: request.head)
    }
}

/// The body of an answer, in pieces.
private final class ServedBody: ResponseBodySource {
    private let answer: FileServer.Answer
    private let position = Mutex(0)

    init(_ answer: FileServer.Answer) { self.answer = answer }

    func next() async throws(TransportError) -> Data? {
        let end = min(answer.cut ?? answer.body.count, answer.body.count)
        let piece = position.withLock { position in
            let next = min(position + 700, end)
            defer { position = next }
            return answer.body[(answer.body.startIndex + position)..<(answer.body.startIndex + next)]
        }
        if !piece.isEmpty { return Data(piece) }
        if answer.isHeld {
            try? await Task.sleep(for: .seconds(600))
            throw .cancelled(in: .responseBody, processing: .unknown)
        }
        guard answer.cut == nil else {
            throw TransportError(.connectionLost, phase: .responseBody, processing: .unknown, message: "cut")
        }
        return nil
    }

    func cancel() {}
}

/// A file as a server has it: its bytes, and what proves that they are the same.
struct ServedFile: Sendable {
    var bytes: Data
    var tag: String? = "\"v1\""
    var modified: String?

    /// The response of a server that follows RFC 9110 §14 and §13.1.5.
    func answer(to request: HTTPRequest) -> FileServer.Answer {
        var fields: HTTPFields = [.acceptRanges: "bytes"]
        fields[.eTag] = tag
        fields[.lastModified] = modified
        let condition = request.headerFields[.ifRange]
        let isCurrent = condition == nil || condition == tag || condition == modified
        guard isCurrent, let range = request.headerFields[.range], range.hasPrefix("bytes="), range.hasSuffix("-"),
            let first = Int(range.dropFirst(6).dropLast())
        else { return FileServer.Answer(fields: fields, body: bytes) }
        guard first < bytes.count else {
            fields[.contentRange] = "bytes */\(bytes.count)"
            return FileServer.Answer(status: 416, fields: fields)
        }
        fields[.contentRange] = "bytes \(first)-\(bytes.count - 1)/\(bytes.count)"
        return FileServer.Answer(status: 206, fields: fields, body: bytes.dropFirst(first))
    }
}

/// Numbers that look random and are the same in each run.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: Int) { state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }

    mutating func data(_ count: Int) -> Data {
        Data((0..<count).map { _ in UInt8(truncatingIfNeeded: next() >> 24) })
    }
}

/// A folder that goes with the test.
final class ScratchFolder: Sendable {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("airframe-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// A destination in the folder.
    func destination(_ name: String = "file", _ options: DownloadRequest.Options = []) -> DownloadRequest.Destination {
        let url = url.appendingPathComponent(name)
        return { _, _ in (url, options) }
    }
}

/// The temporary file that resume data names.
func partialFile(of data: Data) throws -> URL {
    let object = try JSONSerialization.jsonObject(with: data) as? [String: Any]
    let name = object?["file"] as? String ?? ""
    return FileManager.default.temporaryDirectory.appendingPathComponent(name)
}
