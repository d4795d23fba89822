public import AirframeConformance
internal import Synchronization

extension ScriptedConnection {
    /// Sends a response with a `Content-Length`.
    public func respond(_ status: String = "200 OK", fields: [String] = [], body: String = "") throws {
        let lines = ["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)"] + fields
        try send(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
    }

    /// Reads a head, and a body of the length in its `Content-Length`.
    @discardableResult
    public func readRequest() throws -> (head: String, body: [UInt8]) {
        let head = try readHead()
        let length = head.split(separator: "\r\n")
            .first { $0.lowercased().hasPrefix("content-length:") }
            .flatMap { Int($0.dropFirst(15).drop { $0 == " " }) }
        return (head, try read(length ?? 0))
    }

    /// Keeps the connection open until the client closes it, and raises `ended` then.
    public func waitForEnd(_ ended: Signal = Signal()) {
        if peerCloses(within: .seconds(40)) { ended.raise() }
    }
}

extension ScriptedServer {
    /// A server that sends `text` in answer to each request's head and then closes.
    public static func saying(_ text: String) throws -> ScriptedServer {
        try ScriptedServer { connection in
            try connection.readHead()
            try connection.send(text)
        }
    }

    /// A server that answers every request of a connection in the same way.
    public static func answering(fields: [String] = [], body: String = "ok") throws -> ScriptedServer {
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
    public static func silent(_ ended: Signal = Signal()) throws -> ScriptedServer {
        try ScriptedServer { $0.waitForEnd(ended) }
    }
}
