import AirframeConformance
import Foundation
import Synchronization

/// A file of a ``RangeServer``, and how the server misbehaves with it.
struct ServedFile: Sendable {
    var content: Data
    var tag: String? = "\"v1\""
    var fields: [String: String] = [:]
    /// Fields after the content, which is sent in chunks then.
    var trailers: [String: String] = [:]
    /// Whether ranges are ignored.
    var ignoresRanges = false
    /// By how much the length in `Content-Range` is wrong.
    var lengthError = 0
    /// After how many bytes each response breaks off; `nil` for never.
    var cut: Int?
    /// How many responses break off.
    var cuts = Int.max
    /// Bytes per second of one connection; `nil` for no limit.
    var rate: Int?
    /// Whether the length is not announced.
    var hidesLength = false
    /// Whether `Content-Range` does not say how long the whole is.
    var hidesTotal = false
    /// The maximum number of bytes of a range; `nil` for no limit.
    var longestRange: Int?
    /// The status of every response, where it is not the right one.
    var status: Int?
    /// The maximum number of concurrent responses; further requests get 503.
    var concurrency = Int.max
    /// Called before each response: a test changes the file then.
    var before: (@Sendable (HTTPHead, inout ServedFile) -> Void)?
}

/// A server of files with ranges and validators (RFC 9110 §14, §13.1.5), with configurable faults.
final class RangeServer: Sendable {
    private struct ServerState {
        var files: [String: ServedFile]
        var requests: [HTTPHead] = []
        var sent = 0
        var active = 0
        var mostActive = 0
    }

    /// The state that the server's threads and the test share.
    private final class Shared: Sendable {
        // Guards the files and what was asked.
        let state: Mutex<ServerState>
        init(_ files: [String: ServedFile]) { state = Mutex(ServerState(files: files)) }
    }

    private let shared: Shared
    private let server: ScriptedServer

    init(_ files: [String: ServedFile]) throws {
        let shared = Shared(files)
        self.shared = shared
        server = try ScriptedServer { connection in
            while true { try Self.serve(HTTPHead(try connection.readHead()), connection, shared) }
        }
    }

    deinit { server.stop() }

    func url(_ path: String) -> URL { URL(string: server.origin + path) ?? URL(fileURLWithPath: "/") }
    var requests: [HTTPHead] { shared.state.withLock { $0.requests } }
    var ranges: [String] { requests.compactMap { $0["Range"] } }
    /// The bytes of content that were sent.
    var sentBytes: Int { shared.state.withLock { $0.sent } }
    var mostActive: Int { shared.state.withLock { $0.mostActive } }

    func change(_ path: String, _ change: (inout ServedFile) -> Void) {
        shared.state.withLock { state in
            guard var file = state.files[path] else { return }
            change(&file)
            state.files[path] = file
        }
    }

    private static func serve(_ head: HTTPHead, _ connection: ScriptedConnection, _ shared: Shared) throws {
        let (found, active) = shared.state.withLock { state -> (ServedFile?, Int) in
            state.requests.append(head)
            state.files[head.path]?.before?(head, &state.files[head.path, default: ServedFile(content: Data())])
            state.active += 1
            state.mostActive = max(state.mostActive, state.active)
            return (state.files[head.path], state.active)
        }
        defer { shared.state.withLock { $0.active -= 1 } }
        guard let file = found else { return try connection.respond(404) }
        if let status = file.status { return try connection.respond(status, file.fields) }
        guard active <= file.concurrency else { return try connection.respond(503) }
        var fields = file.fields
        fields["ETag"] = file.tag
        fields["Accept-Ranges"] = "bytes"
        let isCurrent = head["If-Range"] == nil || head["If-Range"] == file.tag
        guard !file.ignoresRanges, isCurrent, let range = head["Range"], let bounds = bounds(range) else {
            return try send(file, 0..<file.content.count, 200, fields, connection, head.path, shared)
        }
        let longest = file.longestRange.map { bounds.first + $0 } ?? .max
        let end = min((bounds.last ?? file.content.count - 1) + 1, file.content.count, longest)
        guard bounds.first < end else {
            fields["Content-Range"] = "bytes */\(file.content.count)"
            return try connection.respond(416, fields)
        }
        let total = file.hidesTotal ? "*" : "\(file.content.count + file.lengthError)"
        fields["Content-Range"] = "bytes \(bounds.first)-\(end - 1)/\(total)"
        try send(file, bounds.first..<end, 206, fields, connection, head.path, shared)
    }

    private static func bounds(_ range: String) -> (first: Int, last: Int?)? {
        let parts = range.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let first = Int(parts[0]) else { return nil }
        return (first, Int(parts[1]))
    }

    private static func send(
        _ file: ServedFile,
        _ range: Range<Int>,
        _ status: Int,
        _ fields: [String: String],
        _ connection: ScriptedConnection,
        _ path: String,
        _ shared: Shared
    ) throws {
        let content = file.content.dropFirst(range.lowerBound).prefix(range.count)
        var head = "HTTP/1.1 \(status) Status\r\n"
        for (name, value) in fields { head += "\(name): \(value)\r\n" }
        if !file.trailers.isEmpty {
            let trailers = file.trailers.map { "\($0.key): \($0.value)\r\n" }.joined()
            try connection.send(head + "Transfer-Encoding: chunked\r\n\r\n\(String(content.count, radix: 16))\r\n")
            try connection.send(Array(content) + Array("\r\n0\r\n\(trailers)\r\n".utf8))
            return shared.state.withLock { $0.sent += content.count }
        }
        head += file.hidesLength ? "Connection: close\r\n" : "Content-Length: \(content.count)\r\n"
        try connection.send(head + "\r\n")
        let isCut = file.cut.map { $0 < content.count && file.cuts > 0 } ?? false
        if isCut {
            shared.state.withLock { state in state.files[path]?.cuts -= 1 }
        }
        var rest = content.prefix(isCut ? file.cut ?? 0 : content.count)
        while !rest.isEmpty {
            let piece = rest.prefix(16 << 10)
            rest = rest.dropFirst(piece.count)
            try connection.send(Array(piece))
            shared.state.withLock { $0.sent += piece.count }
            if let rate = file.rate { connection.pause(.microseconds(piece.count * 1_000_000 / rate)) }
        }
        if isCut {
            connection.reset()
            throw ScriptEnd()
        }
        if file.hidesLength {
            connection.close()
            throw ScriptEnd()
        }
    }
}

/// Ends a connection's script.
struct ScriptEnd: Error {}
