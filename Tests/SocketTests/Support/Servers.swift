import AirframeConformance
import Glibc
import Synchronization

extension ScriptedConnection {
    /// A response with a length.
    func respond(_ status: String = "200 OK", fields: [String] = [], body: String = "") throws {
        let lines = ["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)"] + fields
        try send(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
    }

    /// Keeps the connection open until the client closes it, and raises `ended` then.
    func waitForEnd(_ ended: Signal = Signal()) {
        if peerCloses(within: .seconds(40)) { ended.raise() }
    }

    /// Reads a head, and a body of the length in its `Content-Length`.
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
        try ScriptedServer { connection in
            try connection.readHead()
            try connection.send(text)
        }
    }

    /// A server that answers every request of a connection in the same way.
    static func answering(fields: [String] = [], body: String = "ok") throws -> ScriptedServer {
        try ScriptedServer { connection in
            while true {
                try connection.readRequest()
                try connection.respond(fields: fields, body: body)
            }
        }
    }

    /// A server that accepts requests and never answers.
    ///
    /// - Parameter ended: Raised when a client closes its connection.
    static func silent(_ ended: Signal = Signal()) throws -> ScriptedServer {
        try ScriptedServer { $0.waitForEnd(ended) }
    }
}

/// A gate for which scripts wait until the test raises it.
final class Signal: Sendable {
    private let isRaised = Atomic(false)

    func raise() { isRaised.store(true, ordering: .releasing) }

    var isUp: Bool { isRaised.load(ordering: .acquiring) }

    func wait() {
        for _ in 0..<10_000 where !isUp { usleep(2_000) }
    }
}

/// A listening socket with a full queue. On Linux, connection attempts to it get no answer.
final class FullListener: Sendable {
    let port: Int
    private let descriptors: [Int32]

    /// - Parameter port: The port; 0 for any free one.
    init(on host: String = "127.0.0.1", port: Int = 0) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr(host)
        address.sin_port = UInt16(port).bigEndian
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
        self.port = Int(UInt16(bigEndian: address.sin_port))
        descriptors = [listener] + fillers
        usleep(50_000)
    }

    deinit {
        for descriptor in descriptors { close(descriptor) }
    }
}
