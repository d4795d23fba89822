internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes

/// A part of a message that a signature covers (RFC 9421 §2): a field by its name, or a derived component such as
/// `@method`.
public struct SignatureComponent: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The identifier: a name and its parameters.
    let item: StructuredItem

    init(_ item: StructuredItem) { self.item = item }

    /// A field or derived component without parameters. Names are case-insensitive.
    public init(_ name: String) { item = StructuredItem(.string(name.lowercased())) }

    /// A field or derived component without parameters.
    public init(stringLiteral value: String) { self.init(value) }

    /// The identifier as it stands in a signature base.
    public var description: String { item.serialized }

    /// The method (RFC 9421 §2.2.1).
    public static let method: SignatureComponent = "@method"
    /// The full target URI (RFC 9421 §2.2.2).
    public static let targetURI: SignatureComponent = "@target-uri"
    /// The authority, normalized (RFC 9421 §2.2.3).
    public static let authority: SignatureComponent = "@authority"
    /// The scheme (RFC 9421 §2.2.4).
    public static let scheme: SignatureComponent = "@scheme"
    /// The request target (RFC 9421 §2.2.5).
    public static let requestTarget: SignatureComponent = "@request-target"
    /// The path (RFC 9421 §2.2.6).
    public static let path: SignatureComponent = "@path"
    /// The query with its question mark (RFC 9421 §2.2.7).
    public static let query: SignatureComponent = "@query"
    /// The status code of a response (RFC 9421 §2.2.9).
    public static let status: SignatureComponent = "@status"

    /// A query parameter by its decoded name (RFC 9421 §2.2.8).
    public static func queryParameter(_ name: String) -> SignatureComponent {
        SignatureComponent(StructuredItem(.string("@query-param"), ["name": .string(QueryPairs.encode(name))]))
    }

    /// A field in its strict structured form (RFC 9421 §2.1.1).
    public static func structured(_ name: String) -> SignatureComponent {
        SignatureComponent(StructuredItem(.string(name.lowercased()), ["sf": .boolean(true)]))
    }

    /// One member of a field that is a dictionary (RFC 9421 §2.1.2).
    public static func member(_ key: String, of name: String) -> SignatureComponent {
        SignatureComponent(StructuredItem(.string(name.lowercased()), ["key": .string(key)]))
    }

    /// The bytes of each line of a field (RFC 9421 §2.1.3).
    public static func bytes(of name: String) -> SignatureComponent {
        SignatureComponent(StructuredItem(.string(name.lowercased()), ["bs": .boolean(true)]))
    }

    /// This component of the request that a response answers (RFC 9421 §2.4).
    public var ofRequest: SignatureComponent {
        var item = item
        item.parameters["req"] = .boolean(true)
        return SignatureComponent(item)
    }

    var name: String {
        if case .string(let name) = item.value { name } else { "" }
    }
}
