import AirframeConformance
import Synchronization

/// A server that answers `/ID` with the ID, unless the weather causes a fault, and counts the requests that it has
/// read.
final class StormServer: Sendable {
    private final class Register: Sendable {
        // Guards the number of times that each request was read.
        let reads: Mutex<[Int]>

        init(_ count: Int) { reads = Mutex(Array(repeating: 0, count: count)) }

        /// Counts a request whose first line was read. Returns the new count.
        func note(_ id: Int) -> Int {
            reads.withLock { reads in
                guard reads.indices.contains(id) else { return 0 }
                reads[id] += 1
                return reads[id]
            }
        }
    }

    private let register: Register
    private let server: ScriptedServer

    /// - Parameter requestCount: IDs are below it.
    init(requestCount: Int, seed: UInt64) throws {
        let register = Register(requestCount)
        self.register = register
        server = try ScriptedServer { connection in
            switch Weather.forConnection(connection.index, seed: seed) {
            case .close: return
            case .reset: return connection.reset()
            case .endDirection: connection.finishWriting()
            default: break
            }
            var reader = StormReader(connection)
            while let request = try reader.next() {
                let attempt = register.note(request.id)
                let weather = Weather.forRequest(request.id, attempt: attempt, seed: seed)
                guard try Self.treat(request, &reader, connection, weather) else { return }
            }
        }
    }

    var origin: String { server.origin }
    var port: Int { server.port }
    var connectionCount: Int { server.connections.count }

    /// The number of times that each request was read.
    var reads: [Int] { register.reads.withLock { $0 } }

    func stop() { server.stop() }

    /// Applies `weather` to a request. Returns whether the connection continues.
    private static func treat(
        _ request: StormReader.Request,
        _ reader: inout StormReader,
        _ connection: ScriptedConnection,
        _ weather: Weather
    ) throws -> Bool {
        let body = "\(request.id)"
        func answer(_ field: String = "", readsContent: Bool = true) throws {
            if readsContent { try reader.skipContent(of: request) }
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\(field)\r\n\(body)")
        }
        switch weather {
        case .answer:
            try answer()
            return true
        case .answerAndAnnounceClose: try answer("Connection: close\r\n")
        case .answerThenClose: try answer()
        case .answerThenCloseLater:
            try answer()
            connection.pause(.microseconds(Int64(request.id % 16) * 100))
        case .answerThenEndDirection:
            try answer()
            connection.finishWriting()
            // Later requests are read, and have no defined outcome.
            while let next = try reader.next() { try reader.skipContent(of: next) }
        case .answerThenReset:
            try answer()
            connection.reset()
        case .answerWithoutReadingContent:
            try answer(readsContent: false)
            try reader.skipContent(of: request)
            return true
        case .answerWithoutReadingContentThenClose: try answer(readsContent: false)
        case .answerInPieces:
            try reader.skipContent(of: request)
            try connection.trickle("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", every: .zero)
            try connection.trickle("\(String(body.utf8.count, radix: 16))\r\n\(body)\r\n0\r\n\r\n", every: .zero)
            return true
        case .close: break
        case .reset: connection.reset()
        case .endDirection:
            connection.finishWriting()
            _ = try? connection.readToEnd()
        case .closeAfterInformation: try connection.send("HTTP/1.1 103 Early Hints\r\n\r\n")
        case .closeWithinHead: try connection.send("HTTP/1.1 200 OK\r\nContent-Le")
        case .closeWithinContent: try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n\(body)")
        case .resetWithinContent:
            try connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n64\r\n\(body)")
            connection.reset()
        case .stall: _ = try? connection.readToEnd()
        case .stallWithinContent:
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n\(body)")
            _ = try? connection.readToEnd()
        case .nonsense: try connection.send("220 ready\r\n")
        }
        return false
    }
}

/// The requests of one connection.
struct StormReader {
    struct Request {
        let id: Int
        /// `nil` for chunks.
        let length: Int?
    }

    private let connection: ScriptedConnection
    private var bytes: [UInt8] = []
    private var start = 0

    init(_ connection: ScriptedConnection) { self.connection = connection }

    /// Reads the next request head; `nil` if the client has closed the connection.
    mutating func next() throws -> Request? {
        var lines: [String] = []
        while let line = try line() {
            guard line.isEmpty else {
                lines.append(line)
                continue
            }
            guard let id = lines.first?.split(separator: " ")[1].dropFirst(), let id = Int(id) else { return nil }
            if lines.contains(where: { $0.lowercased() == "transfer-encoding: chunked" }) {
                return Request(id: id, length: nil)
            }
            let length = lines.first { $0.lowercased().hasPrefix("content-length: ") }.flatMap { Int($0.dropFirst(16)) }
            return Request(id: id, length: length ?? 0)
        }
        return nil
    }

    /// Reads and discards a request's content, as far as it arrives.
    mutating func skipContent(of request: Request) throws {
        guard request.length == nil else { return try skip(request.length ?? 0) }
        while let line = try line(), let size = Int(line, radix: 16) {
            try skip(size + 2)
            if size == 0 { return }
        }
    }

    private mutating func skip(_ count: Int) throws {
        while bytes.count - start < count {
            guard try fill() else { return }
        }
        start += count
    }

    private mutating func line() throws -> String? {
        while true {
            if let end = bytes[start...].firstIndex(of: 10) {
                defer { start = end + 1 }
                return String(decoding: bytes[start..<end].dropLast(), as: UTF8.self)
            }
            guard try fill() else { return nil }
        }
    }

    private mutating func fill() throws -> Bool {
        bytes.removeFirst(start)
        start = 0
        let more = try connection.readSome()
        bytes += more
        return !more.isEmpty
    }
}
