import AirframeConformance
import Foundation
import Synchronization

/// A server of one resumable upload (draft-ietf-httpbis-resumable-upload, interop version 6) that resets the
/// connection of the creation.
final class UploadAnswers: Sendable {
    /// The state that the connections share with the test.
    private final class Log: Sendable {
        struct Contents {
            var methods: [String] = []
            var content = Data()
        }
        // Guards the methods in the order of the requests, and the bytes that were acknowledged.
        let contents = Mutex(Contents())
    }

    private let server: ScriptedServer
    private let log: Log

    /// Starts a server.
    ///
    /// - Parameter count: The number of bytes that it takes of the creation before it resets the connection.
    init(receiving count: Int) throws {
        let log = Log()
        self.log = log
        server = try ScriptedServer { connection in
            while true {
                let lines = try connection.readHead().components(separatedBy: "\r\n")
                let method = String(lines[0].prefix { $0 != " " })
                let length = lines.first { $0.lowercased().hasPrefix("content-length:") }
                    .flatMap { Int($0.dropFirst("content-length:".count).trimmingCharacters(in: .whitespaces)) }
                let offset = log.contents.withLock { contents in
                    contents.methods.append(method)
                    return contents.content.count
                }
                let version = "Upload-Draft-Interop-Version: 6\r\n"
                switch method {
                case "HEAD":
                    try connection.send(
                        "HTTP/1.1 204 No Content\r\n\(version)Upload-Complete: ?0\r\nUpload-Offset: \(offset)\r\n\r\n")
                case "PATCH":
                    let rest = try connection.read(length ?? 0)
                    log.contents.withLock { $0.content.append(contentsOf: rest) }
                    try connection.send(
                        "HTTP/1.1 200 OK\r\n\(version)Upload-Complete: ?1\r\nContent-Length: 0\r\n\r\n")
                default:
                    try connection.send(
                        "HTTP/1.1 104 Upload Resumption Supported\r\n\(version)Location: /uploads/1\r\n\r\n")
                    let first = try connection.read(count)
                    log.contents.withLock { $0.content.append(contentsOf: first) }
                    return connection.reset()
                }
            }
        }
    }

    deinit { server.stop() }

    var url: String { server.origin + "/files/up" }
    var methods: [String] { log.contents.withLock { $0.methods } }
    var content: Data { log.contents.withLock { $0.content } }
}
