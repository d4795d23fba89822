/// One coded stream in the hands of a C library.
///
/// A class, because the libraries' states live at one address and are freed once. A codec belongs to one
/// ``ContentDecoder`` or ``ContentEncoder``, which is not copyable: that is who keeps two callers apart.
protocol Decoding: AnyObject, Sendable {
    /// Decodes until the input is taken, the output is full or the stream ends.
    func step(
        _ input: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(ContentCodingError) -> CodecStep
}

/// One stream that a C library codes.
protocol Encoding: AnyObject, Sendable {
    /// Codes until the input is taken or the output is full; ``CodecStep/isAtEnd`` says that nothing of what was asked
    /// for is left to do.
    func step(
        _ input: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer,
        _ action: EncodingAction
    ) throws(ContentCodingError) -> CodecStep
}

/// What to do with the input besides taking it.
enum EncodingAction {
    /// Keep what compresses better with more.
    case take
    /// Bring out everything that was taken so far.
    case flush
    /// End the stream.
    case finish
}

/// What one call of a codec did.
struct CodecStep {
    /// Bytes taken from the input.
    var consumed: Int
    /// Bytes written to the output.
    var produced: Int
    /// Whether the stream ended here, or an action was completed.
    var isAtEnd: Bool
}
