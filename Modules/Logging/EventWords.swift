internal import AirframeTransport
internal import Foundation
internal import HTTPTypes

/// Describes the events of an exchange: each phase at its end, with its duration, and each decision.
struct EventWords: Sendable {
    /// A phase that ended, or an event in it.
    struct Phase: Sendable {
        let name: TransportPhase
        let words: String
        /// The duration in seconds; `nil` for events without one.
        let duration: TimeInterval?
    }

    /// The timelines of the open exchanges. A revalidation may continue during the next exchange.
    private var timelines: [ExchangeIdentifier: ExchangeTimeline] = [:]

    /// Returns the words for an event; `nil` for an event that only later ones need.
    mutating func phase(_ event: TransportEvent) -> Phase? {
        let (exchange, now) = (event.exchange, event.instant)
        timelines[exchange, default: ExchangeTimeline(of: exchange, at: now)].record(event)
        defer { if event.isLast { timelines[exchange] = nil } }
        return timelines[exchange].flatMap { words(for: event, $0) }
    }

    private func words(for event: TransportEvent, _ timeline: ExchangeTimeline) -> Phase? {
        let now = event.instant
        switch event.kind {
        case .resolveFinished(let addresses):
            let found = addresses.isEmpty ? "no address" : addresses.joined(separator: ", ")
            return Phase(.resolve, "resolved to \(found)", from: timeline.resolution?.start, to: now)
        case .connectFinished(let address):
            return Phase(.connect, "connected to \(address)", from: timeline.attemptStart(to: address), to: now)
        case .connectFailed(let address, let error):
            let words = "no connection to \(address): \(error.message)"
            return Phase(.connect, words, from: timeline.attemptStart(to: address), to: now)
        case .proxyFinished(let status):
            let answer = status.map { " with \($0)" } ?? ""
            return Phase(.proxy, "the proxy opened the way\(answer)", from: timeline.proxy?.start, to: now)
        case .tlsFinished(let tls):
            let words = "\(tls.version), \(tls.cipherSuite)\(details(of: tls))"
            return Phase(.tls, words, from: timeline.tlsHandshake?.start, to: now)
        case .connectionAcquired(let connection):
            let kind = connection.isReused ? "kept" : "new"
            let words = "\(kind) connection \(connection.id), \(connection.versionAndStream)"
            return Phase(.pool, words, from: timeline.started, to: now)
        case .requestFinished:
            let count = timeline.requestBodyBytes
            let body = count > 0 ? " with \(count.byteCountText) of content" : ""
            let start = timeline.connectionAcquired ?? timeline.started
            return Phase(.requestBody, "request sent\(body)", from: start, to: now)
        case .informationalResponse(let head):
            let words = "informational response \(head.status.words)"
            return Phase(.responseHead, words, from: timeline.requestFinished, to: now)
        case .responseHead(let head, _):
            let start = timeline.requestFinished ?? timeline.started
            return Phase(.responseHead, "response \(head.status.words)", from: start, to: now)
        case .released(let fate):
            let words = "\(timeline.responseBodyBytes.byteCountText) of content; \(fate.words)"
            return Phase(.responseBody, words, from: timeline.responseHead, to: now)
        case .failed(let error):
            return Phase(error.phase, "failed: \(error.message)", from: timeline.started, to: now)
        default: return nil
        }
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

extension ExchangeTimeline {
    /// Returns the time at which the last attempt to connect to `address` began.
    fileprivate func attemptStart(to address: SocketAddress) -> MonotonicInstant? {
        connectAttempts.last { $0.address == address }?.span.start
    }
}

extension TransportEvent {
    /// Whether the event ends the exchange.
    fileprivate var isLast: Bool {
        switch kind {
        case .released, .failed: true
        default: false
        }
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

extension TransportConnection {
    /// The HTTP version, and the stream over HTTP/2.
    var versionAndStream: String { httpVersion.rawValue + (streamID.map { ", stream \($0)" } ?? "") }
}

extension TransportDecision {
    /// Returns a description of the decision without secrets.
    ///
    /// - Parameter redaction: The secrets to redact in the URL of a redirect and in a reason.
    func words(_ redaction: RedactionPolicy) -> String {
        let what =
            switch kind {
            case .retried(let attempt): "attempt \(attempt)"
            case .followedRedirect(let response, let next):
                "redirect \(response.status.code) followed to \(redaction.url(next.urlText))"
            case .refusedRedirect(let response): "redirect \(response.status.code) not followed"
            case .answeredChallenge(let scheme, let realm): "\(scheme) challenge answered\(Self.words(forRealm: realm))"
            case .refusedChallenge(let scheme, let realm), .unansweredChallenge(let scheme, let realm):
                "\(scheme) challenge not answered\(Self.words(forRealm: realm))"
            case .reusedConnection(let id): "connection \(id) reused"
            case .refused: "refused"
            case .servedFromCache: "served from the cache"
            case .cacheMiss: "not in the cache"
            case .storedInCache: "stored in the cache"
            case .notStoredInCache: "not stored in the cache"
            case .invalidatedInCache: "removed from the cache"
            case .cacheFailed: "the cache failed"
            case .routed(let name): "routed to \(name)"
            case .waitsForConnectivity: "waits for a network"
            case .connectivityReturned: "the network is back"
            case .sentCookies(let names): "cookies sent (\(names.joined(separator: ", ")))"
            case .storedCookie(let name, let domain): "cookie \(name) of \(domain) stored"
            case .rejectedCookie(let name, let domain): "cookie \(name) of \(domain) rejected"
            case .upgradedToHTTPS(let next): "upgraded to \(redaction.url(next.urlText))"
            case .hedged(let attempt): "attempt \(attempt) sent in addition to the first"
            case .circuitOpened: "circuit opened"
            case .circuitHalfOpened: "circuit half-open"
            case .circuitClosed: "circuit closed"
            }
        return "\(what): \(redaction.sentence(reason))"
    }

    private static func words(forRealm realm: String?) -> String { realm.map { " for realm \"\($0)\"" } ?? "" }
}

extension HTTPRequest {
    /// The URL from the available parts.
    var urlText: String {
        let origin = scheme.map { "\($0)://" } ?? ""
        return origin + (authority ?? "") + (path ?? "")
    }
}
