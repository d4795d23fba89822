public import HTTPTypes

/// What is a secret in an HTTP message, and must not reach logs, descriptions and exports.
///
/// ``standard`` knows what common use calls a secret; every description in Airframe follows it. Loggers and recorders
/// take a policy of their own, which may know more:
///
/// ```swift
/// let policy = RedactionPolicy.standard.adding(fields: [.init("X-Tenant-Key")!], parameters: ["invitation"])
/// policy.url("https://pilot:s3cret@api.test/join?invitation=4711")  // https://pilot:•••@api.test/join?invitation=•••
/// ```
///
/// Names of parameters are compared without case, and without `-` and `_`: `access_token` stands for `accessToken` and
/// `Access-Token` too. ``standard`` also recognizes names that are on no list by their words: see ``matchesWords``.
public struct RedactionPolicy: Sendable {
    /// What stands in the place of a secret.
    public static let placeholder = "•••"

    /// The header fields whose values are secrets.
    public var fields: Set<HTTPField.Name>

    /// The names of secret parameters: in queries and fragments of URLs, in forms, and as keys in JSON.
    public var parameters: Set<String> {
        didSet { folded = Self.folded(parameters) }
    }

    /// Whether the password in a URL's user information is hidden.
    public var hidesPasswords: Bool

    /// Whether a name with a word such as `token`, `key`, `secret`, `password`, `signature` or `session` in it names a
    /// secret: `X-RapidAPI-Key`, `resetToken`, `X-Hub-Signature-256`. It holds for fields and for parameters.
    public var matchesWords: Bool

    /// Names that name no secret, whatever words they have in them: `Idempotency-Key`. The ends of names count too:
    /// `X-Cache-Key` is excepted by `Cache-Key`. The lists ``fields`` and ``parameters`` take precedence.
    public var exceptions: Set<String> {
        didSet { foldedExceptions = Self.folded(exceptions) }
    }

    /// Whether text is shown that has no names to recognize secrets by: a body that is neither a form nor JSON, XML or
    /// a multipart form. Otherwise its length is shown in its place.
    public var showsPlainText: Bool

    /// `parameters` as they are compared.
    private(set) var folded: Set<String>

    private var foldedExceptions: Set<String>

    /// Makes a policy.
    ///
    /// - Parameters:
    ///   - fields: The header fields whose values are secrets.
    ///   - parameters: The names of secret parameters.
    ///   - hidesPasswords: Whether the password in a URL's user information is hidden.
    ///   - matchesWords: Whether names are recognized by their words too.
    ///   - exceptions: Names that name no secret, whatever words they have in them.
    ///   - showsPlainText: Whether text is shown that has no names to recognize secrets by.
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

    /// Hides nothing. Its output is for nobody but oneself.
    public static let none = RedactionPolicy(fields: [], parameters: [], hidesPasswords: false, showsPlainText: true)

    /// This policy with more secrets.
    ///
    /// - Parameters:
    ///   - fields: Header fields whose values are secrets too.
    ///   - parameters: Names of more secret parameters.
    public func adding(fields: Set<HTTPField.Name> = [], parameters: Set<String> = []) -> RedactionPolicy {
        var policy = self
        policy.fields.formUnion(fields)
        policy.parameters.formUnion(parameters)
        return policy
    }

    /// This policy with fewer secrets.
    ///
    /// - Parameter names: Names of fields and parameters that name no secret, whatever words they have in them.
    public func excepting(_ names: Set<String>) -> RedactionPolicy {
        var policy = self
        policy.exceptions.formUnion(names)
        return policy
    }

    /// Whether a field's value is a secret.
    ///
    /// - Parameter name: The field's name.
    public func isSecret(field name: HTTPField.Name) -> Bool {
        fields.contains(name)
            || matchesWords && SecretWords.nameSecret(name.rawName.utf8, exceptions: foldedExceptions)
    }

    /// Whether a parameter's value is a secret.
    ///
    /// A part of a compound name is enough: `user[password]` and `user.password` are secrets because `password` is one.
    ///
    /// - Parameter name: The parameter's name, without percent-encoding.
    public func isSecret(parameter name: some StringProtocol) -> Bool {
        if folded.contains(Self.folded(name.utf8)) { return true }
        if matchesWords, SecretWords.nameSecret(name.utf8, exceptions: foldedExceptions) { return true }
        guard name.utf8.contains(where: Self.isSeparator) else { return false }
        return name.utf8.split(whereSeparator: Self.isSeparator).contains { folded.contains(Self.folded($0)) }
    }

    /// Whether values are hidden by the names of their parameters.
    package var hidesParameters: Bool { matchesWords || !folded.isEmpty }

    private static func folded(_ names: Set<String>) -> Set<String> {
        Set(names.lazy.map { folded($0.utf8) }).subtracting([""])
    }

    /// A name as it is compared: in lower case, without the marks that join words.
    private static func folded(_ name: some Sequence<UInt8>) -> String {
        let bytes = name.lazy
            .filter { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-") }
            .map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0 }
        return String(decoding: Array(bytes), as: UTF8.self)
    }

    /// What joins the parts of a compound name.
    private static func isSeparator(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]") || byte == UInt8(ascii: ".")
    }
}
