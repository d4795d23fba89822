/// A failure to encode or decode content.
public struct ContentCodingError: Error, Sendable, Hashable {
    /// The reason for the failure.
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

    /// The reason for the failure.
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
        case .truncated: "\(content) is truncated"
        case .windowTooLarge(let limit): "\(content) needs a window above the limit of \(limit) bytes"
        case .tooLarge(let limit): "\(content) decodes to more than the limit of \(limit) bytes (maximumSize)"
        case .ratioTooHigh(let limit):
            "\(content) decodes to more than \(limit) times its size (maximumRatio): it may be a decompression bomb"
        case .tooManyCodings(let limit): "more content codings than the limit of \(limit) are stacked"
        case .levelOutOfRange(let range):
            "the levels of \(coding?.rawValue ?? "the coding") go from "
                + "\(range.lowerBound) to \(range.upperBound)"
        case .finished: "\(content) was already finished"
        case .outOfMemory: "memory ran out for \(content)"
        }
    }
}
