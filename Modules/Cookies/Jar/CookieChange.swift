/// A change to the cookies of a jar.
public enum CookieChange: Sendable, Hashable {
    /// A cookie was stored. It replaces another one with the same name, domain and path.
    case stored(HTTPCookie, replacing: HTTPCookie?)
    /// A cookie was removed.
    case removed(HTTPCookie, Removal)

    /// The reason for the removal of a cookie.
    public enum Removal: Sendable, Hashable {
        /// The server deleted it, by an expiry in the past.
        case byServer
        /// The program removed it.
        case byProgram
        /// It expired.
        case expired
        /// There were too many cookies.
        case evicted
        /// Another process removed it from the file.
        case byOtherProcess
    }
}

/// The result of storing a cookie that a response set.
public enum CookieOutcome: Sendable, Hashable {
    /// It was stored.
    case stored(HTTPCookie)
    /// Its expiry is in the past. A stored cookie with the same name, domain and path was removed.
    case deleted(HTTPCookie)
    /// It was not stored.
    case rejected(CookieRejection)
}
