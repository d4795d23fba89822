/// Reads what a client sends over HTTP/2, as far as scripts need it: frames and the ends of streams. Field blocks are
/// not decoded.
struct HTTP2Reader {
    let connection: ScriptedConnection

    /// Reads the preface.
    ///
    /// - Throws: ``ScriptError`` when something else arrives.
    func readPreface() throws {
        let bytes = try connection.read(HTTP2Frame.preface.count)
        guard bytes == HTTP2Frame.preface else { throw ScriptError("the client sent no HTTP/2 preface") }
    }

    /// Reads one frame.
    func readFrame() throws -> HTTP2Frame {
        let head = try connection.read(9)
        let length = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
        let stream = head[5...8].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
        return HTTP2Frame(type: head[3], flags: head[4], stream: stream, payload: try connection.read(length))
    }

    /// Reads frames up to the head of a request.
    func readHead() throws -> HTTP2Frame {
        while true {
            let frame = try readFrame()
            if frame.type == 1 { return frame }
        }
    }

    /// Reads the DATA of a stream up to its end.
    ///
    /// - Parameter received: Called with the payload of each frame.
    func readContent(of head: HTTP2Frame, _ received: ([UInt8]) -> Void) throws {
        var isOver = head.flags & HTTP2Frame.endStream != 0
        while !isOver {
            let frame = try readFrame()
            guard frame.stream == head.stream else { continue }
            if frame.type == 3 { throw ScriptError("the client reset stream \(head.stream)") }
            if frame.type == 0 { received(frame.payload) }
            isOver = frame.type <= 1 && frame.flags & HTTP2Frame.endStream != 0
        }
    }
}
