internal import AirframeSocket
internal import HTTPTypes

/// Parses the bytes as a server's frames, after its SETTINGS, and checks that the division into pieces changes nothing,
/// that no stream is both complete and failed, and that a session holds no more than it granted.
@_cdecl("fuzzHTTP2")
func fuzzHTTP2(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let bytes = Array(UnsafeBufferPointer(start: data, count: count))
    let requests = [
        HTTP2RequestHead(HTTPRequest(method: .get, scheme: "https", authority: "a", path: "/")),
        HTTP2RequestHead(HTTPRequest(method: .head, scheme: "https", authority: "a", path: "/")),
        HTTP2RequestHead(HTTPRequest(method: .post, scheme: "https", authority: "a", path: "/"), hasContent: true),
    ]
    let whole = HTTP2Run(of: bytes, cuts: [], requests)
    for cuts in [Array(0..<count), cuts(of: bytes, seed: seed(of: bytes))] {
        let part = HTTP2Run(of: bytes, cuts: cuts, requests)
        guard !part.meetsClosedStream, !whole.meetsClosedStream else { continue }
        hold(part == whole, "in pieces:\n\(part)\nwhole:\n\(whole)")
    }
    return 0
}

/// A session that has sent requests and received some bytes.
struct HTTP2Run: Equatable {
    private static let limits = HTTP2Limits(
        connectionWindow: 64 << 10, streamWindow: 1 << 10, fieldSection: 1 << 10, compressedFieldSection: 512,
        fieldCount: 8, informationalCount: 2)

    var streams: [String] = []
    var failure: String?

    init(of bytes: [UInt8], cuts: [Int], _ requests: [HTTP2RequestHead]) {
        guard let session = try? HTTP2Session(Self.limits) else { return }
        let open = requests.compactMap { try? session.open($0).stream }
        drain(session)
        var start = 0
        for end in cuts + [bytes.count] where end > start {
            bytes[start..<end].withUnsafeBytes { session.receive($0, at: 0) }
            start = end
            if let upload = open.last {
                _ = Array(repeating: UInt8(1), count: 100).withUnsafeBytes { session.send($0, on: upload) }
            }
            drain(session)
        }
        session.finish()
        // After a GOAWAY that leaves no stream, the division decides whether a later violation is noticed.
        failure = session.goAwayCode == nil ? session.failure?.message : nil
        streams = open.map { describe($0) }
    }

    /// Whether a frame came for a stream that the server had ended. If the response was malformed, the session resets
    /// the stream and ignores further frames on it, but the RST_STREAM is sent between pieces: until then libnghttp2
    /// takes such a frame for an error of the connection.
    var meetsClosedStream: Bool { failure?.contains("STREAM_CLOSED") ?? false }

    private func drain(_ session: HTTP2Session) {
        session.write { $0.count }
        _ = session.takeSignalled()
    }

    private func describe(_ stream: HTTP2StreamState) -> String {
        var text = ""
        var isWhole = false
        var contentCount = 0
        do throws(HTTP2Failure) {
            while let event = try stream.next() {
                if case .end = event { isWhole = true }
                if case .content(let content) = event { contentCount += content.count }
                text += "\(event)\n"
            }
        } catch {
            hold(!isWhole, "both whole and wrong: \(text)\(error)")
            // The failure may be the connection's end or the error before it, depending on the division.
            text += "failed"
        }
        hold(contentCount <= stream.grantedWindow, "more than was granted: \(contentCount)")
        return text
    }
}
