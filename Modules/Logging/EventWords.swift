internal import AirframeTransport
internal import Foundation
internal import HTTPTypes

/// Puts the events of an exchange into words: each phase when it ends, with the time it took, and each decision.
struct EventWords: Sendable {
    /// A phase that ended, or something that happened in it.
    struct Phase: Sendable {
        let name: TransportPhase
        let words: String
        /// Seconds; `nil` for what takes no time.
        let duration: TimeInterval?
    }

    private var began: MonotonicInstant?
    private var resolveBegan: MonotonicInstant?
    private var connectBegan: MonotonicInstant?
    private var proxyBegan: MonotonicInstant?
    private var tlsBegan: MonotonicInstant?
    private var acquired: MonotonicInstant?
    private var sent: MonotonicInstant?
    private var headCame: MonotonicInstant?
    private var sentBytes: Int64 = 0
    private var receivedBytes: Int64 = 0

    /// What to say about an event; `nil` for those that only matter to later ones.
    mutating func phase(_ event: TransportEvent) -> Phase? {
        let now = event.instant
        switch event.kind {
        case .started:
            self = EventWords()
            began = now
        case .resolveStarted: resolveBegan = now
        case .resolveFinished(let addresses):
            let found = addresses.isEmpty ? "no address" : addresses.joined(separator: ", ")
            return Phase(.resolve, "resolved to \(found)", from: resolveBegan, to: now)
        case .connectStarted: connectBegan = now
        case .connectFinished(let address):
            return Phase(.connect, "connected to \(address)", from: connectBegan, to: now)
        case .connectFailed(let address, let error):
            return Phase(.connect, "no connection to \(address): \(error.message)", from: connectBegan, to: now)
        case .proxyStarted: proxyBegan = now
        case .proxyFinished(let status):
            let answer = status.map { " with \($0)" } ?? ""
            return Phase(.proxy, "the proxy opened the way\(answer)", from: proxyBegan, to: now)
        case .tlsStarted: tlsBegan = now
        case .tlsFinished(let tls):
            return Phase(.tls, "\(tls.version), \(tls.cipherSuite)\(details(of: tls))", from: tlsBegan, to: now)
        case .connectionAcquired(let connection):
            acquired = now
            let kind = connection.isReused ? "kept" : "new"
            let words = "\(kind) connection \(connection.id), \(connection.httpVersion.rawValue)"
            return Phase(.pool, words, from: began, to: now)
        case .requestBodySent(_, let total): sentBytes = total
        case .requestFinished:
            sent = now
            let body = sentBytes > 0 ? " with \(sentBytes.byteCountText) of content" : ""
            return Phase(.requestBody, "request sent\(body)", from: acquired ?? began, to: now)
        case .informationalResponse(let head):
            return Phase(.responseHead, "informational response \(head.status.words)", from: sent, to: now)
        case .responseHead(let head, _):
            headCame = now
            return Phase(.responseHead, "response \(head.status.words)", from: sent ?? began, to: now)
        case .responseBodyReceived(_, let total): receivedBytes = total
        case .released(let fate):
            return Phase(
                .responseBody, "\(receivedBytes.byteCountText) of content; \(fate.words)", from: headCame, to: now)
        case .failed(let error):
            return Phase(error.phase, "failed: \(error.message)", from: began, to: now)
        default: break
        }
        return nil
    }

    private func details(of tls: TLSDescription) -> String {
        (tls.applicationProtocol.map { ", \($0)" } ?? "") + (tls.isResumed ? ", resumed" : "")
    }
}

extension EventWords.Phase {
    fileprivate init(_ name: TransportPhase, _ words: String, from start: MonotonicInstant?, to end: MonotonicInstant) {
        self.init(name: name, words: words, duration: start.map { $0.duration(to: end).seconds })
    }
}

extension TransportEvent.ConnectionFate {
    fileprivate var words: String {
        switch self {
        case .kept: "the connection is kept"
        case .closed(let reason): "the connection is closed: \(reason)"
        case .unknown: "done"
        }
    }
}

extension TransportDecision {
    /// What was decided, in words, without secrets.
    ///
    /// - Parameter redaction: What is a secret in the URL of a redirect, and in a reason.
    func words(_ redaction: RedactionPolicy) -> String {
        let what =
            switch kind {
            case .retried(let attempt): "attempt \(attempt)"
            case .followedRedirect(let response, let next):
                "redirect \(response.status.code) followed to \(redaction.url(next.urlText))"
            case .refusedRedirect(let response): "redirect \(response.status.code) not followed"
            case .answeredChallenge(let scheme, let realm): "\(scheme) challenge answered\(Self.words(forRealm: realm))"
            case .refusedChallenge(let scheme, let realm):
                "\(scheme) challenge not answered\(Self.words(forRealm: realm))"
            case .reusedConnection(let id): "connection \(id) reused"
            case .refused: "refused"
            case .servedFromCache: "served from the cache"
            case .routed(let name): "routed to \(name)"
            case .waitsForConnectivity: "waits for a network"
            case .connectivityReturned: "the network is back"
            case .sentCookies(let names): "cookies sent (\(names.joined(separator: ", ")))"
            case .storedCookie(let name, let domain): "cookie \(name) of \(domain) stored"
            case .rejectedCookie(let name, let domain): "cookie \(name) of \(domain) rejected"
            case .upgradedToHTTPS(let next): "upgraded to \(redaction.url(next.urlText))"
            }
        return "\(what): \(redaction.sentence(reason))"
    }

    private static func words(forRealm realm: String?) -> String { realm.map { " for realm \"\($0)\"" } ?? "" }
}

extension HTTPRequest {
    /// The URL, as far as there is one.
    var urlText: String {
        let origin = scheme.map { "\($0)://" } ?? ""
        return origin + (authority ?? "") + (path ?? "")
    }
}
