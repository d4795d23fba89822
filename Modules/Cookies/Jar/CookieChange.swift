/// A change to the cookies of a jar.
public enum CookieChange: Sendable, Hashable {
    /// A cookie was stored, in the place of another where there was one of the same name, domain and path.
    case stored(HTTPCookie, replacing: HTTPCookie?)
    /// A cookie was removed.
    case removed(HTTPCookie, Removal)

    /// Why a cookie was removed.
    public enum Removal: Sendable, Hashable {
        /// Its server deleted it, by an expiry in the past.
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

/// What became of a cookie that a response set.
public enum CookieOutcome: Sendable, Hashable {
    /// It was stored.
    case stored(HTTPCookie)
    /// Its expiry is in the past: the stored cookie of the same name, domain and path, if any, was removed.
    case deleted(HTTPCookie)
    /// It was not stored.
    case rejected(CookieRejection)
}
