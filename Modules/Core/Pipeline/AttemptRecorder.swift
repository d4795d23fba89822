internal import AirframeTransport
internal import Foundation
internal import HTTPTypes
internal import Synchronization

/// The event sink of one attempt: reports progress, redirects, challenges and waits to the request, and every event to
/// the monitors that ask for them.
final class AttemptRecorder: TransportEventSink {
    let request: Request
    let task: URLSessionTask
    private let monitor: CompositeEventMonitor?
    /// The metrics, whose timelines the engine and the layers fill in place.
    let metrics = URLSessionTaskMetrics()
    private let observesInformationalResponses: Bool
    private let expectedLength = Atomic<Int64>(-1)
    /// Whether the redirect that is being followed has been reported.
    private let hasReportedRedirect = Atomic(false)

    // Inlined, because a call copies its arguments.
    @inline(__always)
    init(request: Request, task: URLSessionTask) {
        self.request = request
        self.task = task
        monitor = request.monitors
        observesInformationalResponses = request.observesInformationalResponses
    }

    /// The length of the request's body, or -1 if it is unknown.
    var expectedBodyLength: Int64 {
        get { expectedLength.load(ordering: .relaxed) }
        set { expectedLength.store(newValue, ordering: .relaxed) }
    }

    /// Whether a monitor receives the events of tasks.
    var observesTasks: Bool { monitor?.wants(.tasks) == true }

    /// A request without monitors needs decisions and the progress of its upload. Metrics need no events.
    var wantedEvents: TransportEventKinds {
        if monitor?.receivesTransportEvents == true { return .all }
        var wanted: TransportEventKinds = [.decisions, .requestBody]
        if observesInformationalResponses { wanted.insert(.response) }
        // For the trust challenges of new connections.
        if observesTasks { wanted.insert(.connection) }
        return wanted
    }

    func receive(_ event: TransportEvent) {
        switch event.kind {
        case .requestBodySent(let count, let total): didSend(count, total)
        case .decided(let decision): didDecide(decision)
        case .tlsStarted: wasChallenged(NSURLAuthenticationMethodServerTrust, nil, failures: 0)
        case .informationalResponse(let head) where observesInformationalResponses:
            request.didReceiveInformational(HTTPURLResponse(url: task.currentRequest?.url, head: head))
        default: break
        }
        monitor?.request(request, didReceive: event)
    }

    private func didDecide(_ decision: TransportDecision) {
        switch decision.kind {
        case .followedRedirect(let response, let next): didFollow(response, to: next)
        case .waitsForConnectivity:
            task.noteWaiting(true)
            monitor?.urlSession(request.context.urlSession, taskIsWaitingForConnectivity: task)
        case .connectivityReturned: task.noteWaiting(false)
        case .answeredChallenge(let scheme, let realm), .unansweredChallenge(let scheme, let realm):
            wasChallenged(scheme, realm, failures: 0)
        case .refusedChallenge(let scheme, let realm): wasChallenged(scheme, realm, failures: 1)
        default: break
        }
    }

    /// Records a redirect. Reports it, unless that was done before the handler was called: a decision of the program's
    /// own, or a layer that calls no handler, has followed it.
    private func didFollow(_ response: HTTPResponse, to next: HTTPRequest) {
        let isReported = hasReportedRedirect.exchange(false, ordering: .relaxed)
        let url = task.currentRequest?.url
        task.didFollowRedirect(of: response, to: next)
        guard !isReported, observesTasks, let request = task.currentRequest else { return }
        didReceiveRedirect(HTTPURLResponse(url: url, head: response, httpVersion: nil), to: request)
        hasReportedRedirect.store(false, ordering: .relaxed)
    }

    /// Reports a redirect to monitors, before the redirect handler is called.
    ///
    /// - Parameters:
    ///   - response: The response that redirects.
    ///   - proposed: The request that would follow.
    func didReceiveRedirect(_ response: HTTPURLResponse, to proposed: URLRequest) {
        hasReportedRedirect.store(true, ordering: .relaxed)
        monitor?.urlSession(
            request.context.urlSession,
            task: task,
            willPerformHTTPRedirection: response,
            newRequest: proposed
        )
    }

    private func wasChallenged(_ scheme: String, _ realm: String?, failures: Int) {
        guard let monitor, monitor.wants(.tasks), let url = task.currentRequest?.url, let host = url.host() else {
            return
        }
        // A layer may have sent a request for `http` over TLS (RFC 6797).
        let usesTLS = url.scheme == "https" || scheme == NSURLAuthenticationMethodServerTrust
        let space = URLProtectionSpace(
            host: host,
            port: url.port ?? (usesTLS ? 443 : 80),
            protocol: usesTLS ? "https" : url.scheme,
            realm: realm,
            authenticationMethod: scheme
        )
        let challenge = URLAuthenticationChallenge(protectionSpace: space, previousFailureCount: failures)
        monitor.urlSession(request.context.urlSession, task: task, didReceive: challenge)
    }

    private func didSend(_ count: Int64, _ total: Int64) {
        let expected = expectedBodyLength
        task.didSend(total, of: expected)
        request.didSend(total, of: expected)
        monitor?.urlSession(
            request.context.urlSession,
            task: task,
            didSendBodyData: count,
            totalBytesSent: total,
            totalBytesExpectedToSend: expected
        )
    }
}
