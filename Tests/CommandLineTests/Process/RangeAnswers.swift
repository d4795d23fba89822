import AirframeConformance
import Foundation
import Synchronization

/// A server of one file with a strong validator that answers ranges (RFC 9110 §14), and records them.
final class RangeAnswers: Sendable {
    /// The state that the connections share with the test.
    private final class Log: Sendable {
        // Guards the `Range` fields in the order of the requests; an empty text for a request without one.
        let ranges = Mutex<[String]>([])
        // Guards after how many bytes the first response breaks off.
        let cut: Mutex<Int?>
        init(cut: Int?) { self.cut = Mutex(cut) }
    }

    private let server: ScriptedServer
    private let log: Log

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - content: The file.
    ///   - cut: The number of bytes after which the first response breaks off; `nil` for a whole response.
    ///   - rate: The bytes per second of each connection; `nil` for no limit.
    ///   - authorization: The value that `Authorization` must have; `nil` for any.
    init(_ content: Data, cut: Int? = nil, rate: Int? = nil, authorization: String? = nil) throws {
        let log = Log(cut: cut)
        self.log = log
        server = try ScriptedServer { connection in
            while true {
                let fields = try connection.readHead().components(separatedBy: "\r\n")
                func field(_ name: String) -> String? {
                    fields.first { $0.lowercased().hasPrefix(name + ":") }
                        .map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
                }
                if let authorization, field("authorization") != authorization {
                    try connection.send("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n")
                    continue
                }
                let range = field("range")
                log.ranges.withLock { $0.append(range ?? "") }
                let bounds = (range ?? "bytes=0-").dropFirst("bytes=".count).split(separator: "-").compactMap {
                    Int($0)
                }
                let (first, last) = (bounds.first ?? 0, bounds.count > 1 ? bounds[1] : content.count - 1)
                var head = range == nil ? "HTTP/1.1 200 OK\r\n" : "HTTP/1.1 206 Partial Content\r\n"
                if range != nil { head += "Content-Range: bytes \(first)-\(last)/\(content.count)\r\n" }
                head += "ETag: \"v1\"\r\nAccept-Ranges: bytes\r\nContent-Length: \(last - first + 1)\r\n\r\n"
                try connection.send(head)
                let cut = log.cut.withLock { cut in
                    defer { cut = nil }
                    return cut
                }
                var rest = content[first...last].prefix(cut ?? .max)
                while !rest.isEmpty {
                    let piece = rest.prefix(16 << 10)
                    rest = rest.dropFirst(piece.count)
                    try connection.send(Array(piece))
                    if let rate { connection.pause(.microseconds(piece.count * 1_000_000 / rate)) }
                }
                if cut != nil { return connection.reset() }
            }
        }
    }

    deinit { server.stop() }

    var url: String { server.origin + "/large.bin" }
    var ranges: [String] { log.ranges.withLock { $0 } }
}
