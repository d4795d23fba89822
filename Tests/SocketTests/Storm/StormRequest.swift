import AirframeSocket
import AirframeTestSupport
import AirframeTransport
import FoundationEssentials
import HTTPTypes
import Synchronization

/// One request of a storm, with the rules for its outcome.
struct StormRequest {
    enum Kind: Int, CaseIterable {
        case get, getAgain, delete, post, put, putLarge, putSource, putOnce, postOnce, postSource
    }

    let id: Int
    let seed: UInt64
    let kind: Kind
    /// The time after which its caller cancels it.
    let patience: Duration?

    init(_ id: Int, seed: UInt64) {
        self.id = id
        self.seed = seed
        let draw = Weather.mix(seed, UInt64(id), 1 << 32)
        kind = Kind.allCases[Int(draw % UInt64(Kind.allCases.count))]
        patience = (draw >> 16) % 50 == 0 ? .microseconds(Int64((draw >> 32) % 4000)) : nil
    }

    private func weather(attempt: Int) -> Weather { .forRequest(id, attempt: attempt, seed: seed) }

    private var method: HTTPRequest.Method {
        switch kind {
        case .get, .getAgain: .get
        case .delete: .delete
        case .put, .putLarge, .putSource, .putOnce: .put
        case .post, .postOnce, .postSource: .post
        }
    }

    /// Whether it may be sent again after the server may have processed it (RFC 9110 §9.2.2).
    private var isRepeatable: Bool { method != .post && kind != .putOnce }

    func request(to origin: String, _ sources: StormSources, _ events: EventLog) -> TransportRequest {
        let size = 1 + id % 5000
        let body: RequestBody =
            switch kind {
            case .get, .getAgain, .delete: .none
            case .post, .put: .bytes(Data(count: size))
            case .putLarge: .bytes(Data(count: 64 * 1024))
            case .putSource, .postSource: .restartable(length: Int64(size)) { sources.make(size) }
            case .putOnce: .oneShot(sources.make(size))
            case .postOnce: .oneShot(length: Int64(size), sources.make(size))
            }
        var request = TransportRequest(method, "\(origin)/\(id)", body: body)
        request.events = events
        request.options.limits.firstByte = .milliseconds(500)
        request.options.limits.readIdle = .milliseconds(500)
        request.options.limits.writeIdle = .milliseconds(500)
        return request
    }

    // MARK: Rules

    /// Returns the violated rules.
    ///
    /// - Parameter reads: The number of times that the server has read the request.
    func faults(_ result: Result<Data, TransportError>, _ events: EventLog, reads: Int) -> [String] {
        var faults: [String] = []
        func require(_ condition: Bool, _ words: String) {
            if !condition { faults.append("\(kind) \(id): \(words); \(result); read \(reads) times; \(events.names)") }
        }
        let retries = events.retryCount
        require(events.endCount == 1, "its events do not end once")
        require(["failed", "released"].contains(events.names.last), "its last event is not its end")
        require(retries <= 1, "it was repeated more than once")
        require(reads <= 1 + (isRepeatable ? retries : 0), "it was repeated, and must not be")
        switch result {
        case .success(let body):
            require(body == Data("\(id)".utf8), "it got another's answer")
            require(reads >= 1, "it got an answer that nobody gave")
        case .failure(let error):
            require(error.processing == .unknown || reads == 0, "the server has acted on it")
            require(error.code != .bodyNotReplayable || kind == .putOnce, "its body can be sent again")
            let mayGoAgain = isRepeatable || error.processing != .unknown
            // The server was alive if a byte of a response has arrived.
            let hasBegun = events.hasResponse || reads > 0 && weather(attempt: reads) == .closeWithinHead
            let isLost = error.code == .connectionLost && events.lastConnectionWasReused && !hasBegun
            require(!isLost || !mayGoAgain, "it was lost, and could have been repeated")
        }
        return faults
    }
}

/// The sources of a storm's bodies, with the number of live ones.
final class StormSources: Sendable {
    private final class Source: RequestBodySource {
        private let owner: StormSources
        private let rest: Mutex<Int>

        init(_ size: Int, _ owner: StormSources) {
            self.owner = owner
            rest = Mutex(size)
            owner.live.add(1, ordering: .relaxed)
        }

        deinit { owner.live.subtract(1, ordering: .relaxed) }

        func next() async throws -> Data? {
            rest.withLock { rest in
                guard rest > 0 else { return nil }
                let count = min(rest, 1000)
                rest -= count
                return Data(count: count)
            }
        }
    }

    private let live = Atomic(0)

    var liveCount: Int { live.load(ordering: .relaxed) }

    func make(_ size: Int) -> any RequestBodySource { Source(size, self) }
}

extension EventLog {
    fileprivate var retryCount: Int {
        events.count { event in
            if case .decided(let decision) = event.kind, case .retried = decision.kind { true } else { false }
        }
    }

    fileprivate var lastConnectionWasReused: Bool {
        for event in events.reversed() {
            if case .connectionAcquired(let connection) = event.kind { return connection.isReused }
        }
        return false
    }

    fileprivate var hasResponse: Bool { names.contains("responseHead") || names.contains("informationalResponse") }
}
