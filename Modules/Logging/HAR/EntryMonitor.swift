public import AirframeCore
public import AirframeHAR
internal import AirframeTransport
public import Foundation
internal import HTTPTypes
internal import Synchronization

/// Passes each exchange of a session to a closure, as an entry of an HTTP archive (HAR 1.2).
///
/// ```swift
/// let monitor = EntryMonitor { print($1.request.url, $1.response.status) }
/// let session = Session(eventMonitors: [monitor])
/// ```
///
/// Redirects, answered challenges, retries and a cache's validations in the background are separate exchanges.
/// ``HARRecorder`` writes the same entries to a file; this monitor is for programs that display or forward them.
/// Secrets are redacted by the options' policy.
public final class EntryMonitor: EventMonitor {
    /// An exchange that has begun and has no entry yet.
    public struct Start: Sendable, Hashable {
        /// The number of the exchange, unique within the monitor and the same in the entry's closure.
        public let id: UInt64
        /// The method.
        public let method: String
        /// The URL without secrets.
        public let url: String
        /// The start of the exchange.
        public let date: Date
    }

    let options: HAR.RecordingOptions
    private let count = Atomic<UInt64>(0)
    private let onStart: @Sendable (Start) -> Void
    private let onEntry: @Sendable (UInt64, HAR.Entry) -> Void

    /// Creates a monitor.
    ///
    /// - Parameters:
    ///   - options: The limits of bodies, and the secrets to redact.
    ///   - onStart: Called when an exchange begins. The request waits for it.
    ///   - onEntry: Called with the number of the exchange and its entry when it has ended. The request waits for it.
    public init(
        options: HAR.RecordingOptions = HAR.RecordingOptions(),
        onStart: @escaping @Sendable (Start) -> Void = { _ in },
        onEntry: @escaping @Sendable (UInt64, HAR.Entry) -> Void
    ) {
        self.options = options
        self.onStart = onStart
        self.onEntry = onEntry
    }

    /// `true`: the closures are called where events happen.
    public var isCalledSynchronously: Bool { true }
    /// No events: each request has its own monitor.
    public var monitoredEvents: MonitoredEvents { [] }

    /// Returns a monitor for the request, which holds its exchange.
    public func monitoring(_ request: Request) -> RequestMonitoring { .own(RequestEntries(owner: self)) }

    fileprivate func begin(_ head: HTTPRequest, at date: Date) -> UInt64 {
        let id = count.add(1, ordering: .relaxed).newValue
        onStart(Start(id: id, method: head.method.rawValue, url: options.redaction.url(head.urlText), date: date))
        return id
    }

    fileprivate func end(_ id: UInt64, _ entry: HAR.Entry) { onEntry(id, entry) }
}

/// The exchanges of one request of an ``EntryMonitor``.
private final class RequestEntries: EventMonitor {
    private typealias Ended = (number: UInt64, record: HAR.ExchangeRecord)

    private struct OpenExchanges {
        var sequence: HAR.ExchangeSequence
        /// The numbers of the exchanges that have begun and have no entry yet.
        var numbers: [ExchangeIdentifier: UInt64] = [:]
        var attempts = 0

        /// Removes the number of an exchange that has ended.
        mutating func remove(_ record: HAR.ExchangeRecord?) -> Ended? {
            guard let record, let number = numbers.removeValue(forKey: record.timeline.exchange) else { return nil }
            return (number, record)
        }
    }

    let isCalledSynchronously = true
    let monitoredEvents: MonitoredEvents = [.requests, .bodies, .transport]

    private let owner: EntryMonitor
    // Guards the open exchanges.
    private let exchanges: Mutex<OpenExchanges>

    init(owner: EntryMonitor) {
        self.owner = owner
        exchanges = Mutex(OpenExchanges(sequence: HAR.ExchangeSequence(owner.options)))
    }

    func request(_ request: UploadRequest, didCreateUploadable uploadable: UploadRequest.Uploadable) {
        guard let sample = HAR.BodySample(of: uploadable, limit: owner.options.requestBodyLimit) else { return }
        exchanges.withLock { $0.sequence.requestBody = sample }
    }

    func request(_ request: Request, didCreateTask task: URLSessionTask) {
        let sample = HAR.BodySample(of: task, in: request, limit: owner.options.requestBodyLimit)
        exchanges.withLock { exchanges in
            exchanges.attempts += 1
            exchanges.sequence.begin(attempt: exchanges.attempts)
            if let sample { exchanges.sequence.requestBody = sample }
        }
    }

    func request(_ request: Request, didReceive event: TransportEvent) {
        let clock = request.context.clock
        let ended = exchanges.withLock { exchanges -> Ended? in
            let record = exchanges.sequence.receive(event)
            return exchanges.remove(record)
        }
        end(ended, clock)
        guard case .started(let head) = event.kind else { return }
        let next = owner.begin(head, at: clock.date(at: event.instant))
        exchanges.withLock { $0.numbers[event.exchange] = next }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchanges.withLock { $0.sequence.take(data) }
    }

    func request(_ request: Request, didCompleteTask task: URLSessionTask, with error: AFError?) {
        let ended = exchanges.withLock { exchanges -> Ended? in
            exchanges.sequence.change { record in
                guard !record.isReleased, record.failure == nil, let error else { return }
                record.failure = error.transportError ?? error.endOfExchange
            }
            let record = exchanges.sequence.finish()
            return exchanges.remove(record)
        }
        end(ended, request.context.clock)
    }

    private func end(_ ended: Ended?, _ clock: any TransportClock) {
        guard let ended else { return }
        owner.end(ended.number, ended.record.entry(owner.options, clock: clock, page: nil))
    }
}
