internal import Foundation
package import HTTPTypes

/// The validator that tells whether a representation has changed between two requests for ranges of it (RFC 9110
/// §13.1.5): a strong entity tag or, if there is no tag at all, a strong date.
package enum ResumeValidator: Sendable, Equatable {
    case tag(String)
    case date(String)

    /// Reads the validator of a response. Returns `nil` if it has none that may be used with a range.
    package init?(_ fields: HTTPFields) {
        if let tag = fields[.eTag] {
            guard Self.isStrong(tag) else { return nil }
            self = .tag(tag)
        } else if let date = fields[.lastModified], Self.isStrong(date: date, sent: fields[.date]) {
            self = .date(date)
        } else {
            return nil
        }
    }

    /// Reads the validator of resume data.
    package init?(entityTag: String?, lastModified: String?) {
        if let entityTag, Self.isStrong(entityTag) {
            self = .tag(entityTag)
        } else if entityTag == nil, let lastModified, HTTPDate.date(from: lastModified) != nil {
            self = .date(lastModified)
        } else {
            return nil
        }
    }

    /// The value of `If-Range`.
    package var value: String {
        switch self {
        case .tag(let value), .date(let value): value
        }
    }

    package var entityTag: String? {
        if case .tag(let tag) = self { tag } else { nil }
    }

    package var lastModified: String? {
        if case .date(let date) = self { date } else { nil }
    }

    /// Whether the fields of a response identify another representation. Missing fields do not.
    package func isContradicted(by fields: HTTPFields) -> Bool {
        switch self {
        case .tag(let tag): fields[.eTag].map { $0 != tag } ?? false
        case .date(let date): fields[.lastModified].map { $0 != date } ?? false
        }
    }

    /// Whether an entity tag is strong (RFC 9110 §8.8.3) and can be sent back.
    private static func isStrong(_ tag: String) -> Bool {
        let bytes = tag.utf8
        guard bytes.count >= 2, bytes.first == UInt8(ascii: "\""), bytes.last == UInt8(ascii: "\"") else {
            return false
        }
        let opaque = bytes.dropFirst().dropLast()
        return opaque.allSatisfy { $0 == 0x21 || (0x23...0x7E).contains($0) || $0 >= 0x80 }
    }

    /// Whether a date is strong: the representation did not change within the second of the response (RFC 9110
    /// §8.8.2.2). A response without `Date` has the time of its arrival (§6.6.1).
    private static func isStrong(date: String, sent: String?) -> Bool {
        guard let modified = HTTPDate.date(from: date) else { return false }
        let made = sent.flatMap(HTTPDate.date(from:)) ?? Date()
        return made.timeIntervalSince(modified) >= 1
    }
}
