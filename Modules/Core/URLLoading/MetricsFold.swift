internal import AirframeTransport
internal import Foundation
internal import HTTPTypes

/// Folds the events of a task into its metrics.
///
/// While events come it only notes instants; dates, requests and responses are made when somebody looks at them.
struct MetricsFold: Sendable {
    /// The transaction that is under way. Beside the earlier ones, and not in one list with them: most tasks have no other.
    /// Not optional either, because changing it in place would then move all of it out and in again.
    private var current = TransactionRecord(request: nil, fetchStart: MonotonicInstant(nanoseconds: 0))
    /// Whether there is one.
    private var hasBegun = false
    private var earlier: [TransactionRecord] = []
    private(set) var redirectCount = 0
    /// The last instant.
    private(set) var end = MonotonicInstant(nanoseconds: 0)

    /// A fold over no events yet.
    init() {}

    /// Takes the next event.
    mutating func receive(_ event: TransportEvent) {
        end = max(end, event.instant)
        switch event.kind {
        case .started(let head): start(head, at: event.instant)
        case .decided(let decision): receive(decision, at: event.instant)
        default: change(at: event.instant) { $0.note(event) }
        }
    }

    /// The first instant.
    var start: MonotonicInstant {
        guard hasBegun else { return end }
        return earlier.first?.fetchStart ?? current.fetchStart
    }

    /// The transactions in order.
    var transactions: [TransactionRecord] { hasBegun ? earlier + [current] : [] }

    private mutating func start(_ head: HTTPRequest, at instant: MonotonicInstant) {
        // A redirect has begun the transaction already, and its exchange starts now.
        if current.isFresh {
            current.request = head
            current.isFresh = false
        } else {
            begin(head, at: instant)
        }
    }

    private mutating func begin(_ request: HTTPRequest?, at instant: MonotonicInstant, isFresh: Bool = false) {
        if hasBegun {
            earlier.append(current)
            current = TransactionRecord(request: nil, fetchStart: instant)
        }
        hasBegun = true
        current.request = request
        current.fetchStart = instant
        current.isFresh = isFresh
    }

    private mutating func receive(_ decision: TransportDecision, at instant: MonotonicInstant) {
        switch decision.kind {
        case .followedRedirect(let response, let next):
            change(at: instant) {
                $0.response = $0.response ?? response
                $0.responseEnd = $0.responseEnd ?? instant
            }
            redirectCount += 1
            begin(next, at: instant, isFresh: true)
        case .reusedConnection: change(at: instant) { $0.isReused = true }
        case .servedFromCache: change(at: instant) { $0.fetchType = .localCache }
        default: break
        }
    }

    /// Changes the transaction that is under way. Events that come before any start begin one without a request.
    private mutating func change(at instant: MonotonicInstant, _ body: (inout TransactionRecord) -> Void) {
        if !hasBegun { begin(nil, at: instant) }
        body(&current)
    }
}
