import AirframeConformance
import Dispatch
import Glibc
import Synchronization

/// A server that runs until the tests end. A test that uses only its address would release it too early.
func scripted(_ script: @escaping ScriptedServer.Script) throws -> ScriptedServer {
    let server = try ScriptedServer(script)
    keptServers.withLock { $0.append(server) }
    return server
}

private let keptServers = Mutex<[ScriptedServer]>([])

extension ScriptedConnection {
    /// A response with a length.
    func respond(_ status: String = "200 OK", fields: [String] = [], body: String = "") throws {
        let lines = ["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)"] + fields
        try send(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
    }

    /// Reads a head and the body that its `Content-Length` announces.
    @discardableResult
    func readRequest() throws -> (head: String, body: [UInt8]) {
        let head = try readHead()
        let length = head.split(separator: "\r\n")
            .first { $0.lowercased().hasPrefix("content-length:") }
            .flatMap { Int($0.dropFirst(15).drop { $0 == " " }) }
        return (head, try read(length ?? 0))
    }
}

extension ScriptedServer {
    /// A server that sends `text` in answer to each request's head and then closes.
    static func saying(_ text: String) throws -> ScriptedServer {
        try scripted { connection in
            try connection.readHead()
            try connection.send(text)
        }
    }

    /// A server that answers every request of a connection in the same way.
    static func answering(fields: [String] = [], body: String = "") throws -> ScriptedServer {
        try scripted { connection in
            while true {
                try connection.readRequest()
                try connection.respond(fields: fields, body: body)
            }
        }
    }
}

/// A point that scripts wait for until the test has reached it.
final class Signal: Sendable {
    private let isRaised = Atomic(false)
    private let ends: (read: Int32, write: Int32)

    init() {
        var pair: [Int32] = [-1, -1]
        pipe(&pair)
        ends = (pair[0], pair[1])
    }

    deinit {
        close(ends.read)
        if !isUp { close(ends.write) }
    }

    func raise() {
        // Closing the pipe wakes all waiters.
        if !isRaised.exchange(true, ordering: .acquiringAndReleasing) { close(ends.write) }
    }

    var isUp: Bool { isRaised.load(ordering: .acquiring) }

    func wait(upTo limit: Duration = .seconds(20)) throws {
        var end = pollfd(fd: ends.read, events: Int16(POLLIN), revents: 0)
        guard poll(&end, 1, Int32(limit.components.seconds * 1000)) > 0 else { throw TookTooLong() }
    }
}

/// A socket that listens and whose queue is full: attempts to connect get no answer.
final class FullListener: Sendable {
    let port: Int
    private let descriptors: [Int32]

    init() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let fillers = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address -> [Int32] in
                guard bind(listener, address, length) == 0, listen(listener, 0) == 0,
                    getsockname(listener, address, &length) == 0
                else { return [] }
                return (0..<4).map { _ in
                    let filler = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
                    connect(filler, address, length)
                    return filler
                }
            }
        }
        port = Int(UInt16(bigEndian: address.sin_port))
        descriptors = [listener] + fillers
        usleep(50_000)
    }

    deinit {
        for descriptor in descriptors { close(descriptor) }
    }
}

/// A server that answers nobody until so many connections are there, and then all: one thread for any number.
final class HoldingServer: Sendable {
    let origin: String

    init(count: Int) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) == 0 && listen(listener, 4096) == 0
                    && getsockname(listener, address, &length) == 0
            }
        }
        guard isListening else { throw TookTooLong() }
        origin = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
        DispatchQueue(label: "holding server").async { Self.serve(listener, count) }
    }

    private static func serve(_ listener: Int32, _ count: Int) {
        let clients = (0..<count).map { _ in accept(listener, nil, nil) }
        close(listener)
        for client in clients {
            var buffer = [UInt8](repeating: 0, count: 4096)
            let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok".utf8)
            if recv(client, &buffer, buffer.count, 0) > 0 { send(client, answer, answer.count, Int32(MSG_NOSIGNAL)) }
            close(client)
        }
    }
}
