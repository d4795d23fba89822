public import Foundation

/// A reader was added to a stream after the stream had discarded the beginning of the body.
///
/// It is the underlying error of ``AFError/responseSerializationFailed(reason:)``.
public struct MissedBeginningError: Error, Sendable, Hashable {
    init() {}
}

extension MissedBeginningError: LocalizedError, CustomStringConvertible {
    /// The reason and the remedy, in a sentence.
    public var description: String {
        "more than 64 KiB of the body had arrived before its reader was added; call bytes() before the request starts"
    }

    /// The same as ``description``.
    public var errorDescription: String? { description }
}
