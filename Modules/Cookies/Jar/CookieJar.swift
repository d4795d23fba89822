internal import AirframeLayers
public import FoundationEssentials
internal import Synchronization

/// The cookies of a user agent, stored and sent as RFC 6265bis specifies.
///
/// A jar may be used from any thread. It holds its cookies in memory, or also in a ``CookieStore``: changes are written
/// shortly after they were made, and ``save()`` writes them immediately.
///
/// ```swift
/// let jar = try CookieJar(file: "cookies.json")
/// for cookie in jar.cookies { print(cookie.name, cookie.domain) }
/// ```
public final class CookieJar: Sendable {
    /// The choices that RFC 6265bis leaves to implementations.
    public let rules: CookieRules
    /// The store that cookies are saved in.
    public let store: (any CookieStore)?
    /// Whether session cookies are saved too.
    public let keepsSessionCookies: Bool

    // Guards the cookies, the changes that the store lacks, and the observers. Observers are notified while the lock is
    // held: `yield` runs none of their code, and they get the changes in order.
    let state = Mutex(JarState())
    // Serializes saves, so that an older state is not adopted after a newer one. Held while the store works.
    let saving = Mutex(())
    let isSaveScheduled = Atomic(false)
    /// The number of cookies, so that a request takes no lock while there is none.
    private let count = Atomic(0)

    struct JarState: Sendable {
        var table = CookieTable()
        /// The changes that the store lacks: a cookie to store, or `nil` to remove one.
        var unsaved: [HTTPCookie.Key: HTTPCookie?] = [:]
        var observers: [UInt64: AsyncStream<CookieChange>.Continuation] = [:]
        var nextObserver: UInt64 = 0
    }

    /// Creates a jar in memory.
    ///
    /// - Parameter rules: The choices that RFC 6265bis leaves to implementations.
    public init(rules: CookieRules = CookieRules()) {
        self.rules = rules
        store = nil
        keepsSessionCookies = false
    }

    /// Opens a jar on a store.
    ///
    /// - Parameters:
    ///   - store: The store that cookies are saved in.
    ///   - keepsSessionCookies: Whether session cookies are saved too.
    ///   - rules: The choices that RFC 6265bis leaves to implementations.
    /// - Throws: The store's error if it cannot be read.
    public init(
        store: any CookieStore,
        keepsSessionCookies: Bool = false,
        rules: CookieRules = CookieRules()
    ) throws {
        self.rules = rules
        self.store = store
        self.keepsSessionCookies = keepsSessionCookies
        let now = Date()
        let cookies = try store.load()
        change { state in
            for cookie in cookies where !cookie.isExpired(at: now) { _ = state.table.insert(cookie) }
        }
    }

    /// Opens a jar on a file, which is created when needed.
    ///
    /// - Parameters:
    ///   - file: The path of the file. Several processes may share it.
    ///   - keepsSessionCookies: Whether session cookies are saved too.
    ///   - rules: The choices that RFC 6265bis leaves to implementations.
    /// - Throws: ``StateFileError`` if the file cannot be read, or is not a file of cookies.
    public convenience init(
        file: String,
        keepsSessionCookies: Bool = false,
        rules: CookieRules = CookieRules()
    ) throws {
        try self.init(store: FileCookieStore(path: file), keepsSessionCookies: keepsSessionCookies, rules: rules)
    }

    deinit {
        try? save()
        for observer in state.withLock({ $0.observers }).values { observer.finish() }
    }

    // MARK: Reading

    /// Whether the jar has no cookies.
    public var isEmpty: Bool { count.load(ordering: .relaxed) == 0 }

    /// All cookies that have not expired, the oldest first.
    public var cookies: [HTTPCookie] {
        let now = Date()
        return state.withLock { $0.table.cookies }.filter { !$0.isExpired(at: now) }
    }

    /// Returns the cookies for a request, in the order of the `Cookie` field. This does not count as a use of the
    /// cookies.
    public func cookies(for request: CookieRequest, at date: Date = Date()) -> [HTTPCookie] {
        find(request, at: date, marks: false)
    }

    /// Returns the cookies for a request for `url`, in the order of the `Cookie` field.
    public func cookies(for url: URL) -> [HTTPCookie] {
        CookieRequest(url: url).map { cookies(for: $0) } ?? []
    }

    /// Returns the cookies for a request that is about to be sent, and records their use.
    func cookiesToSend(for request: CookieRequest, at date: Date) -> [HTTPCookie] {
        find(request, at: date, marks: true)
    }

    private func find(_ request: CookieRequest, at date: Date, marks: Bool) -> [HTTPCookie] {
        guard !isEmpty else { return [] }
        return state.withLock { $0.table.cookies(for: request, rules: rules, at: date, marks: marks) }
    }

    /// The changes from now on. A reader that is more than a thousand changes behind misses the oldest ones.
    public var changes: AsyncStream<CookieChange> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: CookieChange.self, bufferingPolicy: .bufferingNewest(1024))
        let number = state.withLock { state in
            state.nextObserver += 1
            state.observers[state.nextObserver] = continuation
            return state.nextObserver
        }
        continuation.onTermination = { [weak self] _ in
            // Released outside the lock, because releasing a continuation may run its handler.
            let observer = self?.state.withLock { $0.observers.removeValue(forKey: number) }
            _ = observer
        }
        return stream
    }

    // MARK: Changing

    /// Stores the cookies of the `Set-Cookie` fields of a response.
    ///
    /// - Parameters:
    ///   - fields: The values of the fields, one element for each.
    ///   - request: The request that was answered.
    ///   - date: The time of the response.
    /// - Returns: The result for each field.
    @discardableResult
    public func receive(
        _ fields: [String],
        for request: CookieRequest,
        at date: Date = Date()
    ) -> [CookieOutcome] {
        receive(fields, for: request, at: date) { _ throws(CookieRejection.Reason) in }
    }

    /// Stores the cookies of fields, unless `judge` throws a reason to reject a cookie that the rules allow.
    func receive(
        _ fields: [String],
        for request: CookieRequest,
        at date: Date,
        judge: (HTTPCookie) throws(CookieRejection.Reason) -> Void
    ) -> [CookieOutcome] {
        fields.map { field in
            do throws(CookieRejection) {
                let received = try ReceivedCookie(field, request: request, rules: rules, at: date)
                do throws(CookieRejection.Reason) {
                    try judge(received.cookie)
                } catch {
                    throw CookieRejection(received.cookie.name, received.cookie.domain, error)
                }
                return try take(received, for: request, at: date)
            } catch {
                return .rejected(error)
            }
        }
    }

    private func take(
        _ received: ReceivedCookie,
        for request: CookieRequest,
        at date: Date
    ) throws(CookieRejection) -> CookieOutcome {
        let cookie = received.cookie
        let refusal: CookieRejection.Reason? = change { state in
            if !received.cameSecurely, !cookie.isSecure, state.table.hasSecureCookie(shadowedBy: cookie) {
                return .wouldReplaceSecure
            }
            if !request.isHTTP, state.table[cookie.key]?.isHTTPOnly == true { return .httpOnly }
            if cookie.isExpired(at: date) {
                remove(cookie.key, .byServer, in: &state)
            } else {
                insert(cookie, in: &state, at: date)
            }
            return nil
        }
        if let refusal { throw CookieRejection(cookie.name, cookie.domain, refusal) }
        scheduleSave()
        return cookie.isExpired(at: date) ? .deleted(cookie) : .stored(cookie)
    }

    /// Stores a cookie that the program made. It may be for any host. An expired cookie removes the stored one.
    public func insert(_ cookie: HTTPCookie) {
        let now = Date()
        change { state in
            if cookie.isExpired(at: now) {
                remove(cookie.key, .byProgram, in: &state)
            } else {
                insert(cookie, in: &state, at: now)
            }
        }
        scheduleSave()
    }

    /// Removes the cookie of the same name, domain and path.
    public func remove(_ cookie: HTTPCookie) { removeAll { $0.key == cookie.key } }

    /// Removes the cookies that satisfy `condition`, by default all.
    public func removeAll(where condition: (HTTPCookie) -> Bool = { _ in true }) {
        let victims = state.withLock { $0.table.cookies }.filter(condition)
        guard !victims.isEmpty else { return }
        change { state in for cookie in victims { remove(cookie.key, .byProgram, in: &state) } }
        scheduleSave()
    }

    /// Removes the cookies that have expired.
    public func removeExpired(at date: Date = Date()) {
        change { state in
            for cookie in state.table.removeAll(where: { $0.isExpired(at: date) }) {
                note(.removed(cookie, .expired), in: &state)
            }
        }
    }

    // MARK: Steps under the lock

    /// Changes the state, and updates the count outside the lock.
    func change<Result: Sendable>(_ body: (inout JarState) -> Result) -> Result {
        state.withLock { state in
            defer { count.store(state.table.count, ordering: .relaxed) }
            return body(&state)
        }
    }

    private func insert(_ cookie: HTTPCookie, in state: inout JarState, at date: Date) {
        let (stored, replaced) = state.table.insert(cookie)
        note(.stored(stored, replacing: replaced), in: &state)
        for evicted in state.table.enforceLimits(rules, for: cookie.host, at: date) {
            note(.removed(evicted, evicted.isExpired(at: date) ? .expired : .evicted), in: &state)
        }
    }

    private func remove(_ key: HTTPCookie.Key, _ reason: CookieChange.Removal, in state: inout JarState) {
        guard let removed = state.table.remove(key) else { return }
        note(.removed(removed, reason), in: &state)
    }

    func note(_ change: CookieChange, in state: inout JarState) {
        if store != nil {
            switch change {
            case .stored(let cookie, let replaced):
                if isKept(cookie) {
                    state.unsaved[cookie.key] = .some(cookie)
                } else if replaced.map(isKept) == true {
                    state.unsaved[cookie.key] = .some(nil)
                }
            case .removed(let cookie, let reason):
                if isKept(cookie), reason != .byOtherProcess { state.unsaved[cookie.key] = .some(nil) }
            }
        }
        notify(change, in: state)
    }

    func notify(_ change: CookieChange, in state: JarState) {
        for observer in state.observers.values { observer.yield(change) }
    }

    /// Whether the cookie is saved in the store.
    func isKept(_ cookie: HTTPCookie) -> Bool { keepsSessionCookies || !cookie.isSessionOnly }
}
