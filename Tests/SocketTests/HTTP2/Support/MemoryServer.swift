import AirframeConformance
import AirframeSocket
import AirframeTransport
import FoundationEssentials
import HTTPTypes

/// A session whose server is the test, in memory.
final class MemoryServer {
    let session: HTTP2Session
    private var written: [UInt8] = []
    /// The monotonic clock of the session, in nanoseconds.
    var now: Int64 = 0

    init(_ limits: HTTP2Limits = HTTP2Limits(), settings: [(UInt16, UInt32)]? = []) throws {
        session = try HTTP2Session(limits)
        _ = frames()
        guard let settings else { return }
        receive([.settings(settings), .settingsAcknowledged])
        _ = frames()
    }

    /// Sends frames to the session.
    func receive(_ frames: [HTTP2Frame]) { receive(bytes: frames.bytes) }

    /// Sends bytes to the session.
    func receive(bytes: [UInt8]) {
        bytes.withUnsafeBytes { session.receive($0, at: now) }
    }

    /// Returns the frames that the session has written since the last call, without the preface.
    func frames() -> [HTTP2Frame] {
        session.write { bytes in
            written.append(contentsOf: bytes)
            return bytes.count
        }
        if written.starts(with: HTTP2Frame.preface) { written.removeFirst(HTTP2Frame.preface.count) }
        var result: [HTTP2Frame] = []
        while written.count >= 9 {
            let length = Int(written[0]) << 16 | Int(written[1]) << 8 | Int(written[2])
            guard written.count >= 9 + length else { break }
            let stream = written[5...8].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
            result.append(
                HTTP2Frame(type: written[3], flags: written[4], stream: stream, payload: Array(written[9..<9 + length]))
            )
            written.removeFirst(9 + length)
        }
        return result
    }

    /// Discards the frames that the session has written. Returns the credit for the connection in them.
    func connectionCredit() -> Int {
        frames().filter { $0.type == 8 && $0.stream == 0 }.reduce(0) { $0 + Int($1.number) }
    }

    /// Opens a stream with a request.
    func open(
        _ method: HTTPRequest.Method = .get,
        hasContent: Bool = false,
        contentLength: Int64? = nil
    ) throws -> HTTP2StreamState {
        let head = HTTPRequest(method: method, scheme: "https", authority: "test.example", path: "/")
        let stream = try session.open(
            HTTP2RequestHead(head, contentLength: contentLength, hasContent: hasContent)
        ).stream
        return stream
    }
}

/// The events of a stream, up to its end or failure.
struct StreamTranscript {
    var informational: [Int] = []
    var status: Int?
    var fields = HTTPFields()
    var content: [UInt8] = []
    var trailers: HTTPFields?
    var isWhole = false
    var failure: HTTP2Failure?

    init(_ stream: HTTP2StreamState) {
        do throws(HTTP2Failure) {
            while let event = try stream.next() {
                switch event {
                case .informational(let head): informational.append(head.status.code)
                case .head(let head, _, _):
                    status = head.statusCode
                    fields = head.head.headerFields
                case .content(let data): content += Array(data)
                case .end(let trailers):
                    self.trailers = trailers
                    isWhole = true
                }
            }
        } catch {
            failure = error
        }
    }

    var text: String { String(decoding: content, as: UTF8.self) }
}

extension HTTP2Frame {
    /// A HEADERS frame with this block, unchanged.
    static func block(_ bytes: [UInt8], flags: UInt8 = HTTP2Frame.endHeaders, stream: UInt32 = 1) -> HTTP2Frame {
        HTTP2Frame(type: 1, flags: flags, stream: stream, payload: bytes)
    }

    /// The 32-bit number at the start of the payload.
    var number: UInt32 { payload.prefix(4).reduce(0) { $0 << 8 | UInt32($1) } }
}
