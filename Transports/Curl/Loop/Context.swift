internal import AirframeTransport
internal import AirframeWire
internal import CCurl

/// A set of transfers that may share connections: a multi handle, TLS sessions and TLS settings.
///
/// A class, because libcurl calls back with its address. Only the holder of the loop's turn accesses its properties.
final class Context {
    let number: UInt32
    let key: ContextKey
    let tls: TLSSettings
    let multi: MultiHandle
    let share: ShareHandle
    /// The receiver of reports on HTTP/2 sessions, if they can be observed.
    private let http2: HTTP2Owner?
    unowned let engine: Engine

    /// The idle handles that are set up for the context.
    @exclusivity(unchecked) var handles = EasyHandlePool()
    /// The overrides of name resolution. libcurl reads the list while handles live.
    let resolveList: HeaderList?

    /// The instant of libcurl's next call in nanoseconds; `.max` for never.
    @exclusivity(unchecked) var deadline = Int64.max
    @exclusivity(unchecked) var transferCount = 0
    /// The connections that are shut down and that libcurl has not closed.
    @exclusivity(unchecked) var discarded: [Link] = []
    /// The instant at which libcurl is made to close them; `.max` for never.
    @exclusivity(unchecked) var pruningTime = Int64.max
    /// The instant at which the last transfer ended, or the context was created.
    @exclusivity(unchecked) var idleSince = Monotonic.now

    init(number: UInt32, key: ContextKey, engine: Engine) throws(TransportError) {
        self.number = number
        self.key = key
        self.engine = engine
        tls = try TLSSettings(key)
        guard let share = ShareHandle(), let multi = MultiHandle() else { throw Engine.outOfMemory }
        self.multi = multi
        self.share = share
        let isObserved = HTTP2Probe.isObservable
        http2 = isObserved ? HTTP2Owner { [unowned engine] in HTTP2Session($0, engine: engine) } : nil
        resolveList = HeaderList(key.resolveOverrides)
        let configuration = engine.configuration
        // For libcurl, 0 is no limit, or its default.
        multi.set(CURLMOPT_MAXCONNECTS, max(1, configuration.maximumIdleConnections))
        multi.set(CURLMOPT_MAX_TOTAL_CONNECTIONS, configuration.maximumConnections.map { max(1, $0) } ?? 0)
        multi.set(CURLMOPT_MAX_HOST_CONNECTIONS, configuration.maximumConnectionsPerHost.map { max(1, $0) } ?? 0)
        multi.set(CURLMOPT_MAX_CONCURRENT_STREAMS, max(1, configuration.maximumStreamsPerConnection))
        multi.observe(
            Unmanaged.passUnretained(self).toOpaque(),
            sockets: { easy, descriptor, action, observer, _ in
                guard let observer else { return 0 }
                let context = Unmanaged<Context>.fromOpaque(observer).takeUnretainedValue()
                context.engine.watch(descriptor, action: action, easy: easy, context: context)
                return 0
            },
            timer: { _, milliseconds, observer in
                guard let observer else { return 0 }
                let context = Unmanaged<Context>.fromOpaque(observer).takeUnretainedValue()
                context.setTimer(milliseconds)
                return 0
            }
        )
    }

    private func setTimer(_ milliseconds: Int) {
        deadline = milliseconds < 0 ? .max : Monotonic.now + Int64(min(milliseconds, 1 << 40)) * 1_000_000
    }

    /// Closes all connections. The context has no transfers and gets none after this.
    func close() {
        // A share cannot be freed while handles refer to it.
        handles = EasyHandlePool()
        multi.close()
    }

    /// The instant at which the context has something to do; `.max` for never.
    var dueTime: Int64 { min(deadline, pruningTime) }

    /// Has libcurl perform what is due.
    func runTimer() {
        // libcurl sets the timer again if it has more to wait for.
        deadline = .max
        let pruning = beginPruning()
        calling { multi.timerRanOut() }
        endPruning(pruning)
    }

    /// Reports that a socket is ready for the events in `mask` (`CURL_CSELECT_…`).
    func socketIsReady(_ descriptor: Int32, mask: Int32) {
        calling { multi.socketIsReady(descriptor, mask: mask) }
    }

    @inline(__always)
    private func calling(_ body: () -> Void) {
        if let http2 { http2.whileCalling(body) } else { body() }
    }
}

extension HeaderList {
    /// Creates the list of overrides in libcurl's form, or `nil` if libcurl can apply none.
    fileprivate convenience init?(_ overrides: [ResolveOverride]) {
        // Of several overrides of one host, the first applies. For libcurl, it is the last.
        let entries = overrides.reversed().compactMap(\.listEntry)
        guard !entries.isEmpty else { return nil }
        self.init()
        for entry in entries { append(entry) }
    }
}
