/// One coded stream that a C library decodes.
///
/// A class, because the libraries' states have a fixed address and are freed once. A codec belongs to one
/// ``ContentDecoder`` or ``ContentEncoder``, which is not copyable and therefore serializes the calls.
protocol Decoding: AnyObject, Sendable {
    /// Decodes until the input is taken, the output is full or the stream ends.
    func step(
        _ input: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(ContentCodingError) -> CodecStep
}

/// One stream that a C library encodes.
protocol Encoding: AnyObject, Sendable {
    /// Encodes until the input is taken or the output is full; ``CodecStep/isAtEnd`` is set once the action is
    /// complete.
    func step(
        _ input: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer,
        _ action: EncodingAction
    ) throws(ContentCodingError) -> CodecStep
}

/// The action of an encoder after it has consumed input.
enum EncodingAction {
    /// Hold input back that compresses better with more.
    case take
    /// Write everything that was consumed so far.
    case flush
    /// End the stream.
    case finish
}

/// The result of one call of a codec.
struct CodecStep {
    /// Bytes taken from the input.
    var consumed: Int
    /// Bytes written to the output.
    var produced: Int
    /// Whether the stream ended here, or an action was completed.
    var isAtEnd: Bool
}
