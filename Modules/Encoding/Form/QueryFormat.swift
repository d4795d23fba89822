public import Foundation

/// The format of parameters in a query: the characters that are escaped, and the spelling of the keys of arrays and
/// nested values.
///
/// RFC 3986 §3.4 defines no format for parameters. Servers use one of the conventions below:
///
/// ```swift
/// session.get("search", query: ["tags": ["a", "b c"]], format: .form)     // tags=a&tags=b+c
/// session.get("search", query: ["tags": ["a", "b c"]], format: .standard) // tags%5B%5D=a&tags%5B%5D=b%20c
/// ```
public struct QueryFormat: Sendable {
    /// The characters that are escaped.
    public var escaping: QueryEscaping
    /// The spelling of keys.
    public var keys: QueryKeys

    /// Combines an escaping with a spelling of keys.
    ///
    /// - Parameters:
    ///   - escaping: The characters that are escaped.
    ///   - keys: The spelling of keys.
    public init(escaping: QueryEscaping = .standard, keys: QueryKeys = .brackets) {
        self.escaping = escaping
        self.keys = keys
    }

    /// Alamofire's format: ``QueryEscaping/standard``, ``QueryKeys/brackets``.
    public static let standard = QueryFormat()
    /// The format of HTML forms: ``QueryEscaping/form``, ``QueryKeys/repeated``.
    public static let form = QueryFormat(escaping: .form, keys: .repeated)
    /// As little escaping as RFC 3986 requires, ``QueryKeys/repeated``.
    public static let rfc3986 = QueryFormat(escaping: .rfc3986, keys: .repeated)
    /// The format that AWS signatures require: ``QueryEscaping/aws``, ``QueryKeys/repeated``.
    public static let aws = QueryFormat(escaping: .aws, keys: .repeated)
}

/// The characters of names and values that are percent-encoded in a query (RFC 3986 §2.1).
public struct QueryEscaping: Sendable {
    enum Rule: Sendable {
        case characters(CharacterSet, spaces: URLEncodedFormEncoder.SpaceEncoding)
        case closure(@Sendable (String) -> String)
    }

    let rule: Rule

    private init(_ rule: Rule) { self.rule = rule }

    private init(leaving characters: String, spaces: URLEncodedFormEncoder.SpaceEncoding = .percentEscaped) {
        self.init(.characters(CharacterSet(charactersIn: Self.alphanumerics + characters), spaces: spaces))
    }

    private static let alphanumerics = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

    /// All but unreserved characters, `/` and `?`: Alamofire's rule, ``Foundation/CharacterSet/afURLQueryAllowed``.
    public static let standard = QueryEscaping(.characters(.afURLQueryAllowed, spaces: .percentEscaped))
    /// All but letters, digits and `*-._`; a space becomes a plus (`application/x-www-form-urlencoded`, WHATWG URL
    /// §5.2).
    public static let form = QueryEscaping(leaving: "*-._", spaces: .plusReplaced)
    /// Only characters that RFC 3986 §3.4 does not allow in a query, and `&`, `=`, `+` and `;`, which separate
    /// parameters or stand for a space.
    public static let rfc3986 = QueryEscaping(leaving: "-._~!$'()*,:@/?")
    /// All but unreserved characters (RFC 3986 §2.3), as AWS signatures require.
    public static let aws = QueryEscaping(leaving: "-._~")

    /// All but the ASCII characters of a set.
    ///
    /// - Parameters:
    ///   - characters: The characters that stay unencoded. Spaces and characters beyond ASCII are always encoded.
    ///   - spaces: How a space is encoded.
    public static func leaving(
        _ characters: CharacterSet,
        spaces: URLEncodedFormEncoder.SpaceEncoding = .percentEscaped
    ) -> QueryEscaping {
        QueryEscaping(.characters(characters, spaces: spaces))
    }

    /// Escapes with a closure. Characters that a query cannot contain are encoded in any case when the text is put into
    /// the URL.
    ///
    /// - Parameter escape: Returns a name or a value, escaped.
    public static func custom(_ escape: @escaping @Sendable (String) -> String) -> QueryEscaping {
        QueryEscaping(.closure(escape))
    }
}

/// The spelling of the keys of arrays and nested values in a query.
public struct QueryKeys: Sendable {
    /// The keys of an array's elements.
    public var arrays: URLEncodedFormEncoder.ArrayEncoding
    /// The keys of nested values.
    public var nested: URLEncodedFormEncoder.KeyPathEncoding

    /// Combines two spellings.
    ///
    /// - Parameters:
    ///   - arrays: The keys of an array's elements.
    ///   - nested: The keys of nested values.
    public init(arrays: URLEncodedFormEncoder.ArrayEncoding, nested: URLEncodedFormEncoder.KeyPathEncoding) {
        self.arrays = arrays
        self.nested = nested
    }

    /// `tags[]=a&tags[]=b`, `user[name]=c`: PHP, Ruby on Rails.
    public static let brackets = QueryKeys(arrays: .brackets, nested: .brackets)
    /// `tags=a&tags=b`, `user[name]=c`: HTML forms, Java, Go, Python.
    public static let repeated = QueryKeys(arrays: .noBrackets, nested: .brackets)
    /// `tags[0]=a&tags[1]=b`, `user[name]=c`: the elements of objects in arrays stay together.
    public static let indexed = QueryKeys(arrays: .indexInBrackets, nested: .brackets)
    /// `tags=a&tags=b`, `user.name=c`: Spring, ASP.NET.
    public static let dotted = QueryKeys(arrays: .noBrackets, nested: .dots)
}
