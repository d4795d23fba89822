import Airframe
import AirframeReachability
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Synchronization

/// A network that a test switches on and off.
final class StubNetwork: Connectivity {
    private struct NetworkState {
        var reason: NetworkPath.Reason?
        var waiters: [CheckedContinuation<Void, Never>] = []
        var asked: [ConnectivityTarget] = []
        var waitCount = 0
    }

    // Guards whether there is a network, and its waiters.
    private let state: Mutex<NetworkState>
    /// Whether a question before a request says that all is well, whatever `reason` says.
    private let seemsOnline: Bool

    init(_ reason: NetworkPath.Reason? = nil, seemsOnline: Bool = false) {
        state = Mutex(NetworkState(reason: reason))
        self.seemsOnline = seemsOnline
    }

    var isOnline: Bool { seemsOnline || state.withLock { $0.reason == nil } }

    /// The targets of the requests that asked for a path.
    var asked: [ConnectivityTarget] { state.withLock(\.asked) }
    var waitCount: Int { state.withLock(\.waitCount) }
    var isAwaited: Bool { state.withLock { !$0.waiters.isEmpty } }

    func fail(_ reason: NetworkPath.Reason) { state.withLock { $0.reason = reason } }

    func comeBack() {
        let waiters = state.withLock { state in
            state.reason = nil
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    func waitForPath(
        to target: ConnectivityTarget,
        clock: any TransportClock,
        onBlocked: @Sendable (NetworkPath.Reason) -> Void
    ) async throws -> Bool {
        let reason = state.withLock { state in
            state.asked.append(target)
            if state.reason != nil { state.waitCount += 1 }
            return state.reason
        }
        guard let reason else { return false }
        onBlocked(reason)
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isBack = state.withLock { state in
                    let isBack = state.reason == nil || Task.isCancelled
                    if !isBack { state.waiters.append(continuation) }
                    return isBack
                }
                if isBack { continuation.resume() }
            }
        } onCancel: {
            let waiters = state.withLock { state in
                defer { state.waiters = [] }
                return state.waiters
            }
            for waiter in waiters { waiter.resume() }
        }
        try Task.checkCancellation()
        return true
    }
}

/// An engine that fails a given number of times, then answers.
final class StubEngine: Transport {
    private let failures: Mutex<[TransportError]>
    private let sent = Mutex<[TransportRequest]>([])
    let capabilities: TransportCapabilities

    init(failing failures: [TransportError] = [], features: TransportFeatures = StubEngine.usual) {
        self.failures = Mutex(failures)
        capabilities = TransportCapabilities(engine: "stub", features: features)
    }

    /// What engines can do, which does not include to wait for a network.
    static let usual: TransportFeatures = [.http1, .tls, .deadline, .unixSocket, .resolveOverrides, .httpProxy]

    var requests: [TransportRequest] { sent.withLock(\.self) }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        var request = request.prepared(on: clock)
        try capabilities.accept(&request, on: clock)
        sent.withLock { [request] in $0.append(request) }
        if let failure = failures.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { throw failure }
        let fields: HTTPFields = [.contentLength: "5"]
        let body = ResponseBody(Data("hello".utf8))
        return TransportResponse(
            head: HTTPResponse(status: .ok, headerFields: fields),
            body: body,
            request: request.head
        )
    }
}

extension TransportError {
    static func unreachable(
        _ code: Code = .networkUnreachable,
        phase: TransportPhase = .connect,
        processing: Processing = .notSent
    ) -> TransportError {
        TransportError(code, phase: phase, processing: processing, message: "as the test wants")
    }
}

extension TransportRequest {
    /// A request that waits for a network.
    static func waiting(_ host: String = "api.test", events: (any TransportEventSink)? = nil) -> TransportRequest {
        var request = TransportRequest(
            HTTPRequest(method: .get, scheme: "http", authority: host, path: "/"),
            events: events
        )
        request.options.waitsForConnectivity = true
        return request
    }
}

extension EventLog {
    /// The reasons of decisions, and failures, in words.
    var words: [String] {
        events.compactMap { event in
            switch event.kind {
            case .decided(let decision): decision.reason
            case .failed(let error): "failed: \(error.code)"
            default: nil
            }
        }
    }
}
