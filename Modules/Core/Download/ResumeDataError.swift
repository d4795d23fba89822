public import Foundation

/// Why data cannot resume a download. It is beneath ``AFError/createURLRequestFailed(error:)``.
public struct ResumeDataError: Error, Sendable, Hashable {
    /// What is wrong with the data, in words.
    public let reason: String

    init(_ reason: String) { self.reason = reason }
}

extension ResumeDataError: LocalizedError, CustomStringConvertible {
    /// What is wrong, in a sentence.
    public var description: String { "the download cannot be resumed with this data: \(reason)" }

    /// The same sentence as ``description``.
    public var errorDescription: String? { description }
}
