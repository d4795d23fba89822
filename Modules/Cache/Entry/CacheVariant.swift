internal import AirframeTransport
internal import HTTPTypes

/// The values that distinguish the variants of a resource: the request fields that `Vary` names, normalized (RFC 9111
/// §4.1).
///
/// Values of fields that `RedactionPolicy.standard` considers secret are kept as digests.
public struct CacheVariant: Sendable, Hashable {
    /// Names in lower case, and normalized values; `nil` for a field that the request did not have.
    let selecting: [String: String?]
    /// The digest of the request's `Authorization`, empty for a request without it; `nil` if responses are not kept
    /// apart by credentials.
    let credential: String?

    /// A string that is equal for equal variants and contains no secret. Stores use it as the variant's name.
    public var identifier: String {
        let fields = selecting.sorted { $0.key < $1.key }.flatMap { [$0.key, Self.marked($0.value)] }
        return Digest.text((fields + [Self.marked(credential)]).joined(separator: "\u{0}"))
    }

    private static func marked(_ value: String?) -> String { value.map { "+\($0)" } ?? "-" }

    /// The variant of every request without credentials: the response has no `Vary`.
    static let any = CacheVariant(selecting: [:], credential: nil)

    init(selecting: [String: String?], credential: String?) {
        self.selecting = selecting
        self.credential = credential
    }

    /// The variant of a response, or `nil` when `Vary` has a `*`, which matches no request.
    init?(_ request: HTTPRequest, _ response: HTTPResponse, policy: CachePolicy) {
        let control = CacheControl(response.headerFields[values: .cacheControl])
        credential = policy.separatesCredentials && !control.isPublic ? Self.credential(of: request) : nil
        guard response.headerFields.contains(.vary) else {
            selecting = [:]
            return
        }
        var selecting: [String: String?] = [:]
        for value in response.headerFields[values: .vary] {
            for member in FieldList.members(of: value) {
                guard member != "*" else { return nil }
                let name = member.lowercased()
                selecting[name] = .some(Self.value(of: name, in: request.headerFields))
            }
        }
        self.selecting = selecting
    }

    /// Whether the fields of `request` select a stored response with this variant.
    ///
    /// - Parameter language: The response's `Content-Language`. A request that prefers this language is answered,
    ///   whatever other languages it accepts.
    func matches(_ request: HTTPRequest, language: @autoclosure () -> String?, policy: CachePolicy) -> Bool {
        if let credential, credential != Self.credential(of: request) { return false }
        return selecting.allSatisfy { name, stored in
            guard name != Self.searchName else { return true }
            let presented = Self.value(of: name, in: request.headerFields)
            guard stored != presented else { return true }
            guard name == "accept-language", let presented, let language = language() else { return false }
            return presented.prefix { $0 != "," } == language.lowercased()
        }
    }

    /// Whether this variant has all selecting fields of `newer`, and a credential if `newer` has one.
    func distinguishes(asMuchAs newer: CacheVariant) -> Bool {
        Set(selecting.keys).isSuperset(of: newer.selecting.keys) && (credential != nil || newer.credential == nil)
    }

    /// Whether the response has a `Vary` field that names fields.
    var hasFields: Bool { selecting.keys.contains { $0 != Self.searchName } }

    // MARK: No-Vary-Search

    /// The name of the query among the selecting fields. It is not a valid field name.
    private static let searchName = ":search"

    /// The part of the query that counts for a response with `No-Vary-Search`; `nil` for one without.
    var search: String? { selecting[Self.searchName] ?? nil }

    /// Returns the variant for URIs whose queries agree in the parts that count.
    func selecting(search: String) -> CacheVariant {
        var all = selecting
        all[Self.searchName] = .some(search)
        return CacheVariant(selecting: all, credential: credential)
    }

    // MARK: Values

    private static func credential(of request: HTTPRequest) -> String {
        request.headerFields[.authorization].map(Digest.text) ?? ""
    }

    /// Names that `Vary` often has and that are no secrets: a secret is recognized by the words of its name, which
    /// takes longer than to look the name up here.
    private static let plainNames: Set<String> = ["accept", "origin", "referer", "user-agent", "x-requested-with"]

    private static func value(of name: String, in fields: HTTPFields) -> String? {
        guard let fieldName = HTTPField.Name(name) else { return nil }
        let values = fields[values: fieldName]
        guard !values.isEmpty else { return nil }
        switch name {
        case "accept-language", "accept-encoding", "accept-charset": return byPreference(values)
        case _ where !plainNames.contains(name) && RedactionPolicy.standard.isSecret(field: fieldName):
            return Digest.text(values.joined(separator: "; "))
        default: return values.flatMap(FieldList.members).joined(separator: ",")
        }
    }

    /// The members in lower case, by descending preference and then in alphabetical order: their order in the field has
    /// no meaning (RFC 9110 §12.4.2).
    private static func byPreference(_ values: [String]) -> String {
        let members = values.flatMap(FieldList.members).map { member -> (name: String, weight: Double) in
            let parts = member.split(separator: ";").map { FieldList.trimmed($0).lowercased() }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
            return (parts.first ?? "", weight)
        }
        return members.sorted { ($1.weight, $0.name) < ($0.weight, $1.name) }
            .map { $0.weight == 1 ? $0.name : "\($0.name);q=\($0.weight)" }.joined(separator: ",")
    }
}
