/// A place where jars save their cookies: a file, a database, a service.
///
/// Several jars, in several processes, may share a store. A jar sends its changes and never all of its cookies, so that
/// it does not overwrite the changes of another jar.
public protocol CookieStore: Sendable {
    /// Returns the stored cookies.
    func load() throws -> [HTTPCookie]

    /// Replaces the stored cookies by the result of `change`, exclusively.
    ///
    /// - Parameter change: Called with the stored cookies.
    /// - Throws: Any error. The store must then be unchanged; the jar keeps its changes and tries again later.
    func update(_ change: ([HTTPCookie]) -> [HTTPCookie]) throws
}
