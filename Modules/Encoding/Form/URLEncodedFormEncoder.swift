internal import AirframeTransport
public import Foundation
internal import Synchronization

/// An encoder of values as `application/x-www-form-urlencoded`: the text of a query or of a form's body.
///
/// The format is flat and has no standard for nested values, `nil`, dates or booleans; each option selects one of the
/// conventions in use. Text is UTF-8, percent-encoded (RFC 3986 §2.1).
///
/// ```swift
/// let text: String = try URLEncodedFormEncoder().encode(["tags": ["a", "b c"]])
/// // tags%5B%5D=a&tags%5B%5D=b%20c
/// ```
public final class URLEncodedFormEncoder: Sendable {
    /// An error that prevents the encoding of a value.
    public enum Error: Swift.Error, Sendable, Hashable {
        /// The value does not consist of keys and values; the text describes it.
        case invalidRootObject(String)
    }

    /// Whether encoded pairs are sorted alphabetically, so that equal dictionaries have equal encodings. The elements
    /// of an array are sorted too, as whole pairs `key=value`; `false` keeps their order.
    public let alphabetizeKeyValuePairs: Bool
    /// The keys of an array's elements.
    public let arrayEncoding: ArrayEncoding
    /// How a `Bool` is encoded.
    public let boolEncoding: BoolEncoding
    /// How a `Data` is encoded.
    public let dataEncoding: DataEncoding
    /// How a `Date` is encoded.
    public let dateEncoding: DateEncoding
    /// The conversion of the keys of pairs.
    public let keyEncoding: KeyEncoding
    /// The combination of the keys of nested values.
    public let keyPathEncoding: KeyPathEncoding
    /// How `nil` is encoded.
    public let nilEncoding: NilEncoding
    /// How a space is encoded.
    public let spaceEncoding: SpaceEncoding

    // The one mutable option, and the table that is derived from it.
    private let escaping: Mutex<(allowed: CharacterSet, table: PercentEncoding)>
    /// Replaces the table if the format has its own escaping.
    private let customEscaping: (@Sendable (String) -> String)?

    /// The ASCII characters that are not percent-encoded. Characters beyond ASCII always are. ``spaceEncoding`` alone
    /// determines the text of a space. No effect on an encoder whose format has its own escaping
    /// (``QueryEscaping/custom(_:)``).
    public var allowedCharacters: CharacterSet {
        get { escaping.withLock { $0.allowed } }
        set {
            let table = PercentEncoding(allowed: newValue)
            escaping.withLock { $0 = (newValue, table) }
        }
    }

    /// Creates an encoder.
    ///
    /// - Parameters:
    ///   - alphabetizeKeyValuePairs: Whether pairs are sorted alphabetically, those of arrays included.
    ///   - arrayEncoding: The keys of an array's elements.
    ///   - boolEncoding: How a `Bool` is encoded.
    ///   - dataEncoding: How a `Data` is encoded.
    ///   - dateEncoding: How a `Date` is encoded.
    ///   - keyEncoding: The conversion of the keys of pairs.
    ///   - keyPathEncoding: The combination of the keys of nested values.
    ///   - nilEncoding: How `nil` is encoded.
    ///   - spaceEncoding: How a space is encoded.
    ///   - allowedCharacters: The ASCII characters that are not percent-encoded.
    public convenience init(
        alphabetizeKeyValuePairs: Bool = true,
        arrayEncoding: ArrayEncoding = .brackets,
        boolEncoding: BoolEncoding = .numeric,
        dataEncoding: DataEncoding = .base64,
        dateEncoding: DateEncoding = .deferredToDate,
        keyEncoding: KeyEncoding = .useDefaultKeys,
        keyPathEncoding: KeyPathEncoding = .brackets,
        nilEncoding: NilEncoding = .dropKey,
        spaceEncoding: SpaceEncoding = .percentEscaped,
        allowedCharacters: CharacterSet = .afURLQueryAllowed
    ) {
        self.init(
            alphabetizeKeyValuePairs: alphabetizeKeyValuePairs,
            arrayEncoding: arrayEncoding,
            boolEncoding: boolEncoding,
            dataEncoding: dataEncoding,
            dateEncoding: dateEncoding,
            keyEncoding: keyEncoding,
            keyPathEncoding: keyPathEncoding,
            nilEncoding: nilEncoding,
            spaceEncoding: spaceEncoding,
            allowedCharacters: allowedCharacters,
            table: PercentEncoding(allowed: allowedCharacters)
        )
    }

    /// Creates an encoder for a format of queries.
    ///
    /// - Parameters:
    ///   - format: The characters that are escaped, and the spelling of keys.
    ///   - alphabetizeKeyValuePairs: Whether pairs are sorted alphabetically, those of arrays included.
    ///   - boolEncoding: How a `Bool` is encoded.
    ///   - dataEncoding: How a `Data` is encoded.
    ///   - dateEncoding: How a `Date` is encoded.
    ///   - keyEncoding: The conversion of the keys of pairs.
    ///   - nilEncoding: How `nil` is encoded.
    public convenience init(
        format: QueryFormat,
        alphabetizeKeyValuePairs: Bool = true,
        boolEncoding: BoolEncoding = .numeric,
        dataEncoding: DataEncoding = .base64,
        dateEncoding: DateEncoding = .deferredToDate,
        keyEncoding: KeyEncoding = .useDefaultKeys,
        nilEncoding: NilEncoding = .dropKey
    ) {
        var (allowed, spaces) = (CharacterSet(), SpaceEncoding.percentEscaped)
        var custom: (@Sendable (String) -> String)?
        switch format.escaping.rule {
        case .characters(let characters, let encoding): (allowed, spaces) = (characters, encoding)
        case .closure(let escape): custom = escape
        }
        self.init(
            alphabetizeKeyValuePairs: alphabetizeKeyValuePairs,
            arrayEncoding: format.keys.arrays,
            boolEncoding: boolEncoding,
            dataEncoding: dataEncoding,
            dateEncoding: dateEncoding,
            keyEncoding: keyEncoding,
            keyPathEncoding: format.keys.nested,
            nilEncoding: nilEncoding,
            spaceEncoding: spaces,
            allowedCharacters: allowed,
            table: PercentEncoding(allowed: allowed),
            customEscaping: custom
        )
    }

    /// An encoder with the default options. Every request without its own encoder creates one; building the table
    /// of allowed characters takes 5 µs, so it is shared.
    static func makeDefault() -> URLEncodedFormEncoder {
        URLEncodedFormEncoder(
            alphabetizeKeyValuePairs: true,
            arrayEncoding: .brackets,
            boolEncoding: .numeric,
            dataEncoding: .base64,
            dateEncoding: .deferredToDate,
            keyEncoding: .useDefaultKeys,
            keyPathEncoding: .brackets,
            nilEncoding: .dropKey,
            spaceEncoding: .percentEscaped,
            allowedCharacters: .afURLQueryAllowed,
            table: .query
        )
    }

    private init(
        alphabetizeKeyValuePairs: Bool,
        arrayEncoding: ArrayEncoding,
        boolEncoding: BoolEncoding,
        dataEncoding: DataEncoding,
        dateEncoding: DateEncoding,
        keyEncoding: KeyEncoding,
        keyPathEncoding: KeyPathEncoding,
        nilEncoding: NilEncoding,
        spaceEncoding: SpaceEncoding,
        allowedCharacters: CharacterSet,
        table: PercentEncoding,
        customEscaping: (@Sendable (String) -> String)? = nil
    ) {
        self.alphabetizeKeyValuePairs = alphabetizeKeyValuePairs
        self.arrayEncoding = arrayEncoding
        self.boolEncoding = boolEncoding
        self.dataEncoding = dataEncoding
        self.dateEncoding = dateEncoding
        self.keyEncoding = keyEncoding
        self.keyPathEncoding = keyPathEncoding
        self.nilEncoding = nilEncoding
        self.spaceEncoding = spaceEncoding
        escaping = Mutex((allowedCharacters, table))
        self.customEscaping = customEscaping
    }

    /// Encodes a value as text.
    ///
    /// - Parameter value: A value with keys: a structure, a class or a dictionary. A value without members yields an
    ///   empty text.
    /// - Throws: ``Error/invalidRootObject(_:)`` for a value without keys, an `EncodingError` for one nested deeper
    ///   than 512 levels, and the errors of the value itself and of custom encodings.
    public func encode(_ value: any Encodable) throws -> String {
        let root = try FormTree.make(from: value, options: self)
        let serializer = FormSerializer(
            options: self, escaping: escaping.withLock { $0.table }, customEscaping: customEscaping)
        switch root.content {
        case .nothing: return ""
        case .object(let object): return serializer.text(of: object)
        case .list(let elements):
            guard elements.contains(where: \.hasPairs) else { return "" }
            throw Error.invalidRootObject("\(type(of: value)), which encodes as a list")
        case .listAndObject(let elements, let object):
            guard elements.contains(where: \.hasPairs) else { return serializer.text(of: object) }
            throw Error.invalidRootObject("\(type(of: value)), which encodes as a list and as an object")
        case .text: throw Error.invalidRootObject("\(type(of: value)), which encodes as a single value")
        }
    }

    /// Encodes a value as the bytes of a body.
    ///
    /// - Parameter value: A value with keys.
    /// - Throws: The errors of encoding as text.
    public func encode(_ value: any Encodable) throws -> Data {
        let text: String = try encode(value)
        return Data(text.utf8)
    }
}

extension URLEncodedFormEncoder.Error: LocalizedError, CustomStringConvertible {
    /// A description of the error.
    public var description: String {
        switch self {
        case .invalidRootObject(let object): "a URL-encoded form needs keys and values; this is \(object)"
        }
    }

    /// A description of the error.
    public var errorDescription: String? { description }
}
