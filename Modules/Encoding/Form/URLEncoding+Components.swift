internal import AirframeTransport
internal import Foundation

extension URLEncoding {
    /// Returns the pairs of a value: one, or those of the members of an array or a dictionary.
    ///
    /// A whole floating-point number has no fraction, as with Alamofire, which describes it as an `NSNumber`: `1.0` is
    /// `1`. Other values, such as dates and data, are encoded by their descriptions. An optional is encoded as its
    /// wrapped value; `nil` yields no pair.
    ///
    /// - Parameters:
    ///   - key: The value's name.
    ///   - value: The value.
    /// - Returns: Names and values, percent-encoded.
    public func queryComponents(fromKey key: String, value: Any) -> [(String, String)] {
        switch Parameter(value) {
        case .nothing: []
        case .bool(let value): [(escape(key), escape(boolEncoding.encode(value: value)))]
        case .text(let text): [(escape(key), escape(text))]
        case .array(let elements):
            elements.enumerated().flatMap { index, element in
                queryComponents(fromKey: arrayEncoding.encode(key: key, atIndex: index), value: element)
            }
        case .dictionary(let members):
            members.sorted { $0.key < $1.key }.flatMap { subkey, member in
                queryComponents(fromKey: "\(key)[\(subkey)]", value: member)
            }
        }
    }

    /// Percent-encodes all but the characters of ``Foundation/CharacterSet/afURLQueryAllowed``.
    ///
    /// - Parameter string: Any text.
    /// - Returns: The text, escaped for a query.
    public func escape(_ string: String) -> String { PercentEncoding.query.encode(string) }
}

/// The kinds of parameters.
private enum Parameter {
    case nothing
    case bool(Bool)
    case text(String)
    case array([Any])
    case dictionary([String: Any])

    init(_ value: Any) {
        if let optional = value as? any AnyOptional {
            self = optional.wrapped.map(Parameter.init) ?? .nothing
        } else if let number = value as? NSNumber, type(of: value) is NSNumber.Type {
            // Checked first and by its exact class: an NSNumber of 1 casts to Bool, and a Double to NSNumber.
            self =
                type(of: number) == Self.booleanClass
                ? .bool(number.boolValue) : .text(Self.withoutZeroFraction(number.description))
        } else if let bool = value as? Bool {
            self = .bool(bool)
        } else if let number = value as? any BinaryFloatingPoint {
            self = .text(Self.description(of: number))
        } else if let dictionary = value as? [String: Any] {
            self = .dictionary(dictionary)
        } else if let array = value as? [Any] {
            self = .array(array)
        } else {
            self = .text("\(value)")
        }
    }

    /// Returns the shortest text from which the number can be read back, without the fraction of a whole number.
    private static func description(of number: some BinaryFloatingPoint) -> String {
        // Swift describes the sign and the payload of NaN as well.
        number.isNaN ? "nan" : withoutZeroFraction("\(number)")
    }

    /// Foundation on Linux describes a whole `NSNumber` of floating point with a fraction, on Apple's systems without.
    private static func withoutZeroFraction(_ text: String) -> String {
        text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// Foundation boxes booleans in a private class, the only difference from the numbers 0 and 1.
    private static var booleanClass: NSNumber.Type { type(of: NSNumber(value: true)) }
}

/// An optional inside an `Any`: the cast to `Optional<Any>` would wrap it again.
private protocol AnyOptional {
    var wrapped: Any? { get }
}

extension Optional: AnyOptional {
    fileprivate var wrapped: Any? { map { $0 as Any } }
}
