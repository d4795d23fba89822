/// The bytes of a connection, in the clear or over TLS.
struct ByteStream: Sendable {
    let socket: Socket
    let tls: TLSStream?

    /// Reads what is there.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> IOResult {
        tls?.read(into: buffer) ?? socket.read(into: buffer)
    }

    /// Writes what there is room for.
    func write(_ bytes: UnsafeRawBufferPointer) -> IOResult {
        tls?.write(bytes) ?? socket.write(bytes)
    }
}

extension ByteStream {
    /// Whether a read may bring something without waiting, after one that brought `count` bytes into room for
    /// `capacity`.
    func mayHaveMore(after count: Int, of capacity: Int) -> Bool {
        // A read that does not fill its buffer has emptied the socket.
        tls?.mayHaveMore ?? (count == capacity)
    }

    /// What a read that is blocked waits for.
    var readDirection: Socket.Direction { tls?.readNeedsWriting == true ? .writing : .reading }
}
