/// An entity tag and its comparison functions (RFC 9110 §8.8.3).
struct EntityTag: Sendable, Hashable {
    /// Whether it is weak: `W/"…"`.
    let isWeak: Bool
    /// The part within quotes. A tag that a server sent without quotes counts as a strong tag with that text.
    let opaque: String

    init(_ text: some StringProtocol) {
        isWeak = text.hasPrefix("W/")
        let tag = isWeak ? text.dropFirst(2)[...] : text[...]
        opaque = FieldList.unquoted(Substring(tag))
    }

    /// Whether both tags are strong and equal (§8.8.3.2).
    func matchesStrongly(_ other: EntityTag) -> Bool { !isWeak && !other.isWeak && opaque == other.opaque }

    /// Whether the tags are equal, weak or not (§8.8.3.2).
    func matchesWeakly(_ other: EntityTag) -> Bool { opaque == other.opaque }

    /// The tags of an `If-None-Match` or `If-Match`; `nil` for `*`.
    static func list(_ values: [String]) -> [EntityTag]? {
        let members = values.flatMap(FieldList.members)
        return members.contains("*") ? nil : members.map { EntityTag($0) }
    }
}
