/// The identity of a route, a sequence or a scenario, which distinguishes equal values.
///
/// A class, because it consists of its identity alone. Tables that use it as a key keep it alive, so that its address
/// is not reused.
final class Identity: Sendable, Hashable {
    static func == (left: Identity, right: Identity) -> Bool { left === right }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
