internal import AirframeTransport
internal import AirframeWire
internal import CCurl

/// Transfers that may share connections: a multi handle, the TLS sessions, and how TLS is done for them.
///
/// A class, because libcurl calls back with its address. The holder of the loop's turn alone accesses its properties.
final class Context {
    let number: UInt32
    let key: ContextKey
    let tls: TLSSettings
    let multi: MultiHandle
    let share: ShareHandle
    /// Gets reports of HTTP/2 sessions, where they can be observed.
    private let http2: HTTP2Owner?
    unowned let engine: Engine

    /// Those that are set up for it, and wait for their next transfer.
    @exclusivity(unchecked) var handles = EasyHandlePool()
    /// Where names lead to; libcurl reads it while handles live.
    let resolveList: HeaderList?

    /// When libcurl wants to be called again, in nanoseconds; `.max` for never.
    @exclusivity(unchecked) var deadline = Int64.max
    @exclusivity(unchecked) var transferCount = 0
    /// Connections that are shut down, and that libcurl has not closed.
    @exclusivity(unchecked) var discarded: [Link] = []
    /// When libcurl is to be made to close them; `.max` for never.
    @exclusivity(unchecked) var pruningTime = Int64.max
    /// When the last transfer ended, or the context was made.
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
        multi.set(CURLMOPT_MAXCONNECTS, configuration.maximumIdleConnections)
        multi.set(CURLMOPT_MAX_TOTAL_CONNECTIONS, configuration.maximumConnections ?? 0)
        multi.set(CURLMOPT_MAX_HOST_CONNECTIONS, configuration.maximumConnectionsPerHost ?? 0)
        multi.set(CURLMOPT_MAX_CONCURRENT_STREAMS, configuration.maximumStreamsPerConnection)
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
        // What is shared cannot be freed while handles refer to it.
        handles = EasyHandlePool()
        multi.close()
    }

    /// When the context has something to do; `.max` for never.
    var dueTime: Int64 { min(deadline, pruningTime) }

    /// Lets libcurl do what is due.
    func runTimer() {
        // libcurl sets the timer anew when it has more to wait for.
        deadline = .max
        let pruning = beginPruning()
        calling { multi.timerRanOut() }
        endPruning(pruning)
    }

    /// Says that a socket is ready for what `mask` (`CURL_CSELECT_…`) names.
    func socketIsReady(_ descriptor: Int32, mask: Int32) {
        calling { multi.socketIsReady(descriptor, mask: mask) }
    }

    @inline(__always)
    private func calling(_ body: () -> Void) {
        if let http2 { http2.whileCalling(body) } else { body() }
    }
}

extension HeaderList {
    /// The overrides in the form that libcurl takes; `nil` where there are none.
    fileprivate convenience init?(_ overrides: [ResolveOverride]) {
        guard !overrides.isEmpty else { return nil }
        self.init()
        for override in overrides {
            let host = override.host.lowercased()
            append("\(host):\(override.port):\(AddressLanes.list(AddressLanes.split(override.addresses)))")
        }
    }
}
