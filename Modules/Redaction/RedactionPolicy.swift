public import HTTPTypes

/// The rules by which parts of an HTTP message are secret, and hidden in logs, descriptions and exports.
///
/// ``standard`` covers names that commonly carry secrets; every description in Airframe follows it. Loggers and
/// recorders accept other policies, for example an extended one:
///
/// ```swift
/// let policy = RedactionPolicy.standard.adding(fields: [.init("X-Tenant-Key")!], parameters: ["invitation"])
/// policy.url("https://pilot:s3cret@api.test/join?invitation=4711")  // https://pilot:•••@api.test/join?invitation=•••
/// ```
///
/// The comparison of parameter names ignores case, `-` and `_`: `access_token` also matches `accessToken` and
/// `Access-Token`. ``standard`` also recognizes names on no list by their words: see ``matchesWords``.
public struct RedactionPolicy: Sendable {
    /// The text that replaces a secret.
    public static let placeholder = "•••"

    /// The header fields whose values are secrets.
    public var fields: Set<HTTPField.Name>

    /// The names of secret parameters: in queries and fragments of URLs, in forms, and as keys in JSON.
    public var parameters: Set<String> {
        didSet { folded = Self.folded(parameters) }
    }

    /// Whether the password in a URL's user information is hidden.
    public var hidesPasswords: Bool

    /// Whether a field or parameter is secret if its name contains a word such as `token`, `key`, `secret`, `password`,
    /// `signature` or `session`: `X-RapidAPI-Key`, `resetToken`, `X-Hub-Signature-256`.
    public var matchesWords: Bool

    /// Names that are not secret, even if they contain such words: `Idempotency-Key`. An exception also applies to
    /// names that end in it: `Cache-Key` excepts `X-Cache-Key`. The lists ``fields`` and ``parameters`` take
    /// precedence.
    public var exceptions: Set<String> {
        didSet { foldedExceptions = Self.folded(exceptions) }
    }

    /// Whether plain text is shown: a body that is neither a form, JSON, XML nor a multipart form, and so has no names
    /// by which secrets could be recognized. Otherwise its length is shown instead.
    public var showsPlainText: Bool

    /// `parameters` in the form in which they are compared.
    private(set) var folded: Set<String>

    private var foldedExceptions: Set<String>

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - fields: The header fields whose values are secrets.
    ///   - parameters: The names of secret parameters.
    ///   - hidesPasswords: Whether the password in a URL's user information is hidden.
    ///   - matchesWords: Whether names are also recognized by their words.
    ///   - exceptions: Names that are not secret, even if they contain such words.
    ///   - showsPlainText: Whether plain text is shown.
    public init(
        fields: Set<HTTPField.Name>,
        parameters: Set<String>,
        hidesPasswords: Bool = true,
        matchesWords: Bool = false,
        exceptions: Set<String> = [],
        showsPlainText: Bool = false
    ) {
        self.fields = fields
        self.parameters = parameters
        self.hidesPasswords = hidesPasswords
        self.matchesWords = matchesWords
        self.exceptions = exceptions
        self.showsPlainText = showsPlainText
        folded = Self.folded(parameters)
        foldedExceptions = Self.folded(exceptions)
    }

    /// A policy that hides nothing, for output that no one else sees.
    public static let none = RedactionPolicy(fields: [], parameters: [], hidesPasswords: false, showsPlainText: true)

    /// Returns this policy with more secrets.
    ///
    /// - Parameters:
    ///   - fields: Additional header fields whose values are secrets.
    ///   - parameters: Additional names of secret parameters.
    public func adding(fields: Set<HTTPField.Name> = [], parameters: Set<String> = []) -> RedactionPolicy {
        var policy = self
        policy.fields.formUnion(fields)
        policy.parameters.formUnion(parameters)
        return policy
    }

    /// Returns this policy with more exceptions.
    ///
    /// - Parameter names: Names of fields and parameters that are not secret, even if they contain such words.
    public func excepting(_ names: Set<String>) -> RedactionPolicy {
        var policy = self
        policy.exceptions.formUnion(names)
        return policy
    }

    /// Returns whether a field's value is a secret.
    ///
    /// - Parameter name: The field's name.
    public func isSecret(field name: HTTPField.Name) -> Bool {
        fields.contains(name)
            || matchesWords && SecretWords.nameSecret(name.rawName.utf8, exceptions: foldedExceptions)
    }

    /// Returns whether a parameter's value is a secret.
    ///
    /// One part of a compound name suffices: `user[password]` and `user.password` are secrets because `password` is
    /// one.
    ///
    /// - Parameter name: The parameter's name, without percent-encoding.
    public func isSecret(parameter name: some StringProtocol) -> Bool {
        if folded.contains(Self.folded(name.utf8)) { return true }
        if matchesWords, SecretWords.nameSecret(name.utf8, exceptions: foldedExceptions) { return true }
        guard name.utf8.contains(where: Self.isSeparator) else { return false }
        return name.utf8.split(whereSeparator: Self.isSeparator).contains { folded.contains(Self.folded($0)) }
    }

    /// Whether the policy hides any parameters.
    package var hidesParameters: Bool { matchesWords || !folded.isEmpty }

    private static func folded(_ names: Set<String>) -> Set<String> {
        Set(names.lazy.map { folded($0.utf8) }).subtracting([""])
    }

    /// Returns a name in the form in which names are compared: in lower case, without the marks that join words.
    private static func folded(_ name: some Sequence<UInt8>) -> String {
        let bytes = name.lazy
            .filter { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-") }
            .map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0 }
        return String(decoding: Array(bytes), as: UTF8.self)
    }

    /// Returns whether `byte` joins the parts of a compound name.
    private static func isSeparator(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]") || byte == UInt8(ascii: ".")
    }
}
