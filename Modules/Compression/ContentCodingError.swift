/// A failure to encode or decode content.
public struct ContentCodingError: Error, Sendable, Hashable {
    /// What went wrong.
    public enum Reason: Sendable, Hashable {
        /// The bytes do not have the format of the coding, or a checksum does not match.
        case corrupt
        /// The bytes end before the coded stream does.
        case truncated
        /// The coded stream requires a larger window than ``DecodingLimits`` allow, in bytes (RFC 8878 §3.1.1.1.2).
        case windowTooLarge(limit: Int)
        /// The decoded content is longer than ``DecodingLimits/maximumSize``, in bytes.
        case tooLarge(limit: Int64)
        /// The ratio of decoded to coded bytes exceeds ``DecodingLimits/maximumRatio``: a decompression bomb.
        case ratioTooHigh(limit: Int64)
        /// More codings are stacked than ``DecodingLimits/maximumCodings`` allows.
        case tooManyCodings(limit: Int)
        /// The level is outside the range of the coding.
        case levelOutOfRange(ClosedRange<Int>)
        /// Input was added after the encoder was finished.
        case finished
        /// The library ran out of memory.
        case outOfMemory
    }

    /// What went wrong.
    public let reason: Reason
    /// The coding, or `nil` if the error does not concern a single coding.
    public let coding: ContentCoding?
    /// The error message of the C library.
    public let libraryMessage: String?

    init(_ reason: Reason, _ coding: ContentCoding?, libraryMessage: String? = nil) {
        self.reason = reason
        self.coding = coding
        self.libraryMessage = libraryMessage
    }
}

extension ContentCodingError: CustomStringConvertible {
    /// The failure, with the limit that was exceeded and the message of the library.
    public var description: String {
        libraryMessage.map { "\(sentence) [\($0)]" } ?? sentence
    }

    /// The failure, without the message of the library.
    var sentence: String {
        let content = coding.map { "the content coded with \($0)" } ?? "the coded content"
        return switch reason {
        case .corrupt: "\(content) is corrupt"
        case .truncated: "\(content) ends before its end"
        case .windowTooLarge(let limit): "\(content) needs a window of more than the \(limit) bytes that are allowed"
        case .tooLarge(let limit): "\(content) becomes more than the \(limit) bytes that are allowed (maximumSize)"
        case .ratioTooHigh(let limit):
            "\(content) becomes more than \(limit) times as large as it came, which no honest content does (maximumRatio)"
        case .tooManyCodings(let limit): "more than the \(limit) content codings that are allowed are stacked"
        case .levelOutOfRange(let range):
            "the levels of \(coding?.rawValue ?? "the coding") go from "
                + "\(range.lowerBound) to \(range.upperBound)"
        case .finished: "\(content) was finished already"
        case .outOfMemory: "there is no memory left for \(content)"
        }
    }
}
