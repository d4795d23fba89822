/// An entity tag (RFC 9110 §8.8.3), and how two compare.
struct EntityTag: Sendable, Hashable {
    /// Whether it is weak: `W/"…"`.
    let isWeak: Bool
    /// The part within quotes. Servers send tags without quotes; these are strong tags of that text.
    let opaque: String

    init(_ text: some StringProtocol) {
        isWeak = text.hasPrefix("W/")
        let tag = isWeak ? text.dropFirst(2)[...] : text[...]
        opaque = FieldList.unquoted(Substring(tag))
    }

    /// Whether both are strong and the same (§8.8.3.2).
    func matchesStrongly(_ other: EntityTag) -> Bool { !isWeak && !other.isWeak && opaque == other.opaque }

    /// Whether they are the same but for weakness.
    func matchesWeakly(_ other: EntityTag) -> Bool { opaque == other.opaque }

    /// The tags of an `If-None-Match` or `If-Match`; `nil` for `*`.
    static func list(_ values: [String]) -> [EntityTag]? {
        let members = values.flatMap(FieldList.members)
        return members.contains("*") ? nil : members.map { EntityTag($0) }
    }
}
