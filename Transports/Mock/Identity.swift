/// What tells one thing from another that looks the same: a route, a sequence, a scenario.
///
/// A class, because its identity is all that there is to it. Tables that use it as a key keep it alive, so that no other
/// can take its place.
final class Identity: Sendable, Hashable {
    static func == (left: Identity, right: Identity) -> Bool { left === right }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
