/// Where a jar keeps its cookies beyond its life: a file, a database, a service.
///
/// Several jars, in several processes, may share a store. A jar sends its changes and never the whole of its cookies,
/// so that none loses what another has stored.
public protocol CookieStore: Sendable {
    /// Returns the stored cookies.
    func load() throws -> [HTTPCookie]

    /// Replaces the stored cookies by what `change` makes of them, while no other user of the store can.
    ///
    /// - Parameter change: Given the stored cookies.
    /// - Throws: Any error leaves the store as it was; the jar keeps its changes and tries again later.
    func update(_ change: ([HTTPCookie]) -> [HTTPCookie]) throws
}
