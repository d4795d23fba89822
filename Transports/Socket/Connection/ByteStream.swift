/// A connection's byte stream, with or without TLS.
struct ByteStream: Sendable {
    let socket: Socket
    let tls: TLSStream?

    /// Reads available bytes.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> IOResult {
        tls?.read(into: buffer) ?? socket.read(into: buffer)
    }

    /// Writes as many bytes as the socket accepts.
    func write(_ bytes: UnsafeRawBufferPointer) -> IOResult {
        tls?.write(bytes) ?? socket.write(bytes)
    }
}

extension ByteStream {
    /// Returns whether another read may return bytes, after a read of `count` bytes into a buffer of `capacity`.
    func mayHaveMore(after count: Int, of capacity: Int) -> Bool {
        // A read that did not fill its buffer has drained the socket.
        tls?.mayHaveMore ?? (count == capacity)
    }

    /// The direction that a blocked read waits for.
    var readDirection: Socket.Direction { tls?.readNeedsWriting == true ? .roomForReading : .reading }
}
