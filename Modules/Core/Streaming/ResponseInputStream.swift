public import Foundation

/// A response's body as an `InputStream`, for code that reads streams. Reading blocks until bytes arrive.
///
/// A subclass and not a pair of bound streams: Foundation has none on Linux, and its `streamError` traps there.
final class ResponseInputStream: InputStream {
    private let buffer: StreamBuffer

    init(_ buffer: StreamBuffer) {
        self.buffer = buffer
        super.init(data: Data())
    }

    deinit { buffer.close() }

    override func open() { buffer.open() }
    override func close() { buffer.close() }

    override func read(_ bytes: UnsafeMutablePointer<UInt8>, maxLength: Int) -> Int {
        buffer.read(into: UnsafeMutableRawBufferPointer(start: bytes, count: max(0, maxLength)))
    }

    override func getBuffer(
        _ bytes: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>,
        length: UnsafeMutablePointer<Int>
    ) -> Bool { false }

    override var hasBytesAvailable: Bool { buffer.hasBytesAvailable }
    override var streamStatus: Stream.Status { buffer.status }
    override var streamError: (any Error)? { buffer.error }
}

extension DataStreamRequest {
    /// Returns the body as an `InputStream`, and starts the request. Reading blocks until bytes arrive, so read on a
    /// separate thread.
    ///
    /// The stream receives the bytes that arrive from now on, and those before if they are at most 64 KiB. If the
    /// request fails, reading returns -1 and `streamError` is the error. Once bytes have arrived, the request is not
    /// retried: a reader of the stream could not tell the bytes of two attempts apart.
    ///
    /// - Parameter bufferSize: The number of bytes to buffer before backpressure reaches the server.
    public func asInputStream(bufferSize: Int = 1024) -> InputStream? {
        let buffer = StreamBuffer(capacity: bufferSize)
        appendConsumer { await buffer.write($0) }
        onFinish { [weak self] in buffer.end(self?.error) }
        resume()
        return ResponseInputStream(buffer)
    }
}
