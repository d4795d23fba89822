public import Foundation

extension URLEncodedFormEncoder {
    /// The keys of an array's elements.
    public enum ArrayEncoding: Sendable {
        /// `key[]`, for every element.
        case brackets
        /// `key`, for every element.
        case noBrackets
        /// `key[0]`, `key[1]`, …
        case indexInBrackets
        /// Creates the key from the array's key and the element's index.
        case custom(@Sendable (_ key: String, _ index: Int) -> String)

        func encode(_ key: String, at index: Int) -> String {
            switch self {
            case .brackets: "\(key)[]"
            case .noBrackets: key
            case .indexInBrackets: "\(key)[\(index)]"
            case .custom(let encoding): encoding(key, index)
            }
        }
    }

    /// How a `Bool` is encoded.
    public enum BoolEncoding: Sendable, Hashable {
        /// `1` and `0`
        case numeric
        /// `true` and `false`
        case literal

        func encode(_ value: Bool) -> String {
            switch self {
            case .numeric: value ? "1" : "0"
            case .literal: value ? "true" : "false"
            }
        }
    }

    /// How a `Data` is encoded.
    public enum DataEncoding: Sendable {
        /// As `Data` encodes itself: an array of bytes.
        case deferredToData
        /// Base64 (RFC 4648 §4).
        case base64
        /// Encoded by a closure.
        case custom(@Sendable (Data) throws -> String)

        /// Returns the text, or `nil` if `data` encodes itself.
        func encode(_ data: Data) throws -> String? {
            switch self {
            case .deferredToData: nil
            case .base64: data.base64EncodedString()
            case .custom(let encoding): try encoding(data)
            }
        }
    }

    /// How a `Date` is encoded.
    public enum DateEncoding: Sendable {
        /// As `Date` encodes itself: seconds since 2001-01-01.
        case deferredToDate
        /// Seconds since 1970-01-01, with a fraction.
        case secondsSince1970
        /// Milliseconds since 1970-01-01, with a fraction.
        case millisecondsSince1970
        /// Date and time in UTC to the second, as in `2001-01-01T00:00:00Z` (RFC 3339).
        case iso8601
        /// The output of a formatter.
        case formatted(DateFormatter)
        /// Encoded by a closure.
        case custom(@Sendable (Date) throws -> String)

        /// Returns the text, or `nil` if `date` encodes itself.
        func encode(_ date: Date) throws -> String? {
            switch self {
            case .deferredToDate: nil
            case .secondsSince1970: String(date.timeIntervalSince1970)
            case .millisecondsSince1970: String(date.timeIntervalSince1970 * 1000)
            case .iso8601: date.ISO8601Format()
            case .formatted(let formatter): formatter.string(from: date)
            case .custom(let encoding): try encoding(date)
            }
        }
    }

    /// How `nil` is encoded.
    public struct NilEncoding: Sendable {
        /// Nothing: the key is omitted too.
        public static let dropKey = NilEncoding { nil }
        /// An empty value: `key=`
        public static let dropValue = NilEncoding { "" }
        /// The word: `key=null`
        public static let null = NilEncoding { "null" }

        let encode: @Sendable () -> String?

        /// Creates an encoding.
        ///
        /// - Parameter encoding: A closure that returns the value; `nil` omits the key.
        public init(encoding: @escaping @Sendable () -> String?) { encode = encoding }
    }

    /// How a space is encoded.
    public enum SpaceEncoding: Sendable, Hashable {
        /// `%20`, as everywhere in a URL.
        case percentEscaped
        /// `+`, as browsers send forms (WHATWG URL §5.2).
        case plusReplaced
    }
}
