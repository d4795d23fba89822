public import Foundation

/// The reason why data cannot resume a download. It is the underlying error of
/// ``AFError/createURLRequestFailed(error:)``.
public struct ResumeDataError: Error, Sendable, Hashable {
    /// The fault of the data.
    public let reason: String

    init(_ reason: String) { self.reason = reason }
}

extension ResumeDataError: LocalizedError, CustomStringConvertible {
    /// The fault of the data, in a sentence.
    public var description: String { "the download cannot be resumed with this data: \(reason)" }

    /// The same as ``description``.
    public var errorDescription: String? { description }
}
