public import AirframeCore
internal import Foundation

/// The events of a server, over as many connections as it takes (WHATWG HTML §9.2.3).
///
/// ```swift
/// for try await event in AF.eventSource("https://api.test/prices") { print(event.event, event.data) }
/// ```
///
/// When a connection ends or breaks, the next one is made after a time, and tells the server the last identifier that
/// it gave. The sequence ends when the server answers 204, or the task is cancelled. It throws when the server answers
/// with anything but 200 and `text/event-stream`, or when a request cannot even be made. Each iteration begins anew.
public struct EventSource: AsyncSequence, Sendable {
    /// An event.
    public typealias Element = ServerSentEvent
    /// Why there are no more events.
    public typealias Failure = AFError

    /// When to connect anew.
    public struct Reconnection: Sendable, Hashable {
        /// The time before a new connection, until the server names another one by `retry`.
        public var time: Duration
        /// The longest time that failures lead to: each failure in a row doubles the time up to here.
        public var maximumTime: Duration
        /// The shortest and the longest time that a server can set by `retry`: 0.5 seconds to 5 minutes by default. A
        /// shorter or longer one is brought into this range.
        ///
        /// Without a lower bound a server that sends `retry: 0` and closes has a thousand connections a second made to
        /// it; without an upper one a huge number silences the source for good.
        public var serverTimes: ClosedRange<Duration>
        /// Responses after which a new connection is tried, although the standard gives up: 502 and 503 for servers
        /// that are restarted, for example.
        public var statusCodes: Set<Int>
        /// How many connections in a row may fail before the last one's error is thrown; `nil` for any number.
        public var limit: Int?

        /// Describes when to connect anew.
        ///
        /// - Parameters:
        ///   - time: The time before a new connection, until the server names another one.
        ///   - maximumTime: The longest time. Each failure in a row doubles the time up to here.
        ///   - statusCodes: Responses after which a new connection is tried, although the standard gives up.
        ///   - limit: How many connections in a row may fail before the last one's error is thrown.
        ///   - serverTimes: The shortest and the longest time that a server can set by `retry`.
        public init(
            time: Duration = .seconds(3),
            maximumTime: Duration = .seconds(60),
            statusCodes: Set<Int> = [],
            limit: Int? = nil,
            serverTimes: ClosedRange<Duration> = .milliseconds(500) ... .seconds(300)
        ) {
            self.time = time
            self.maximumTime = maximumTime
            self.statusCodes = statusCodes
            self.limit = limit
            self.serverTimes = serverTimes
        }

        /// The time that a server asked for, within the bounds.
        func time(askedFor time: Duration) -> Duration {
            Swift.min(Swift.max(time, serverTimes.lowerBound), serverTimes.upperBound)
        }

        /// The time after a number of failures in a row.
        func delay(_ time: Duration, afterFailures count: Int) -> Duration {
            var delay = Swift.max(time, .zero)
            // A product with a power of two can leave the range of `Duration`, which traps.
            for _ in 0..<Swift.min(Swift.max(count - 1, 0), 64) {
                guard delay < maximumTime / 2 else { return Swift.max(delay, maximumTime) }
                delay += delay
            }
            return delay
        }
    }

    /// A connection whose head has come.
    struct Connection: Sendable {
        let response: HTTPURLResponse
        /// The next bytes of the body, `nil` at its end.
        let next: @Sendable () async throws(AFError) -> Data?
    }

    let reconnection: Reconnection
    let lastEventID: String
    let maximumEventLength: Int
    /// Connects, telling the server the last identifier; empty for none.
    let connect: @Sendable (_ lastEventID: String) async throws(AFError) -> Connection
    let sleep: @Sendable (Duration) async throws -> Void

    /// An iterator that connects when it is first asked for an event.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

    /// Reads events, connection after connection.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private enum State {
            case idle(wait: Duration?)
            case open(Connection)
            /// What came before the failure is handed out first.
            case failed(AFError)
            case ended
        }

        private let source: EventSource
        private var state = State.idle(wait: nil)
        private var parser: ServerSentEventParser
        private var events: ArraySlice<ServerSentEvent> = []
        private var time: Duration
        private var failures = 0

        init(_ source: EventSource) {
            self.source = source
            time = source.reconnection.time
            parser = ServerSentEventParser(lastEventID: source.lastEventID)
        }

        /// The next event, or `nil` when the server wants no more connections.
        ///
        /// - Throws: Why no more connections are made.
        public mutating func next() async throws(AFError) -> ServerSentEvent? { try await next(isolation: nil) }

        /// The next event, or `nil` when the server wants no more connections.
        ///
        /// - Throws: Why no more connections are made.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(AFError) -> ServerSentEvent? {
            while true {
                if let event = events.popFirst() { return event }
                switch state {
                case .ended: return nil
                case .failed(let error):
                    state = .ended
                    throw error
                case .idle(let wait): try await connect(after: wait, isolation: actor)
                case .open(let connection): try await read(connection, isolation: actor)
                }
            }
        }

        private mutating func connect(
            after wait: Duration?,
            isolation actor: isolated (any Actor)?
        ) async throws(AFError) {
            state = .ended
            do {
                if let wait { try await source.sleep(wait) }
            } catch {
                throw .explicitlyCancelled
            }
            let connection: Connection
            do throws(AFError) {
                connection = try await source.connect(parser.lastEventID)
            } catch {
                return try fail(error, isWorthAnother: error.isBrokenConnection)
            }
            try open(connection)
        }

        private mutating func open(_ connection: Connection) throws(AFError) {
            switch EventStreamRules.verdict(on: connection.response) {
            case .stream:
                failures = 0
                parser = ServerSentEventParser(
                    lastEventID: parser.lastEventID,
                    maximumLength: source.maximumEventLength
                )
                state = .open(connection)
            case .end: state = .ended
            case .refused(let error):
                let status = connection.response.statusCode
                try fail(error, isWorthAnother: source.reconnection.statusCodes.contains(status))
            }
        }

        private mutating func read(
            _ connection: Connection,
            isolation actor: isolated (any Actor)?
        ) async throws(AFError) {
            // Until there is an answer, so that a cancelled reader is at its end.
            state = .ended
            let data: Data?
            do throws(AFError) {
                data = try await connection.next()
            } catch {
                return try fail(error, isWorthAnother: error.isBrokenConnection)
            }
            guard let data else {
                state = .idle(wait: time)
                return
            }
            var made: [ServerSentEvent] = []
            do throws(StreamParsingError) {
                try parser.push(data, into: &made)
                state = .open(connection)
            } catch {
                state = .failed(.responseSerializationFailed(reason: .customSerializationFailed(error: error)))
            }
            if let asked = parser.reconnectionTime { time = source.reconnection.time(askedFor: asked) }
            events = made[...]
        }

        private mutating func fail(_ error: AFError, isWorthAnother: Bool) throws(AFError) {
            state = .ended
            failures += 1
            let limit = source.reconnection.limit ?? .max
            guard isWorthAnother, !Task.isCancelled, failures <= limit else { throw error }
            state = .idle(wait: source.reconnection.delay(time, afterFailures: failures))
        }
    }
}

/// What a response means for a source of events (WHATWG HTML §9.2.3).
enum EventStreamRules {
    enum Verdict {
        case stream
        /// The server wants no more connections.
        case end
        case refused(AFError)
    }

    static let mediaType = "text/event-stream"

    static func verdict(on response: HTTPURLResponse) -> Verdict {
        switch response.statusCode {
        case 204: return .end
        case 200: break
        default:
            let reason = AFError.ResponseValidationFailureReason.unacceptableStatusCode(code: response.statusCode)
            return .refused(.responseValidationFailed(reason: reason))
        }
        guard response.mimeType != mediaType else { return .stream }
        let reason: AFError.ResponseValidationFailureReason =
            if let type = response.mimeType {
                .unacceptableContentType(acceptableContentTypes: [mediaType], responseContentType: type)
            } else {
                .missingContentType(acceptableContentTypes: [mediaType])
            }
        return .refused(.responseValidationFailed(reason: reason))
    }
}

extension AFError {
    /// Whether the network broke the connection, rather than a rule or the user.
    fileprivate var isBrokenConnection: Bool {
        if case .sessionTaskFailed(let error) = self { !(error is CancellationError) } else { false }
    }
}
