public import AirframeCore
internal import AirframeTransport
internal import Foundation

/// A sequence of server-sent events that reconnects as needed (WHATWG HTML §9.2.3).
///
/// ```swift
/// for try await event in AF.eventSource("https://api.test/prices") { print(event.event, event.data) }
/// ```
///
/// When a connection ends or fails, the source waits, opens the next one and sends the last event's identifier in
/// `Last-Event-ID`. The sequence ends when the server answers 204 or the task is cancelled. It throws when the server
/// answers with anything but 200 and `text/event-stream`, or when a request cannot be created. Each iteration starts
/// from the beginning.
public struct EventSource: AsyncSequence, Sendable {
    /// An event.
    public typealias Element = ServerSentEvent
    /// The error that ended the sequence.
    public typealias Failure = AFError

    /// The reconnection rules.
    public struct Reconnection: Sendable, Hashable {
        /// The delay before a reconnection, until the server sets another one with `retry`.
        public var time: Duration
        /// The maximum delay. Each consecutive failure doubles the delay up to this limit. A connection that breaks
        /// before its first byte counts as a failure, even if it has answered 200. A connection that has answered 200
        /// and that a time limit ends is none: the server may have had no event to send.
        public var maximumTime: Duration
        /// The range of delays that a server can set with `retry`: 0.5 seconds to 5 minutes by default. Values outside
        /// are clamped.
        ///
        /// Without a lower bound, a server that sends `retry: 0` and closes would cause a thousand connections a
        /// second. Without an upper bound, a huge value would stop the source for good.
        public var serverTimes: ClosedRange<Duration>
        /// The status codes after which the source reconnects although the standard gives up: for example 502 and 503
        /// for servers that restart.
        public var statusCodes: Set<Int>
        /// The number of consecutive connections that may fail before the last error is thrown; `nil` for no limit.
        public var limit: Int?

        /// Creates reconnection rules.
        ///
        /// - Parameters:
        ///   - time: The delay before a reconnection, until the server sets another one.
        ///   - maximumTime: The maximum delay. Each consecutive failure doubles the delay up to this limit.
        ///   - statusCodes: The status codes after which the source reconnects although the standard gives up.
        ///   - limit: The number of consecutive connections that may fail before the last error is thrown.
        ///   - serverTimes: The range of delays that a server can set with `retry`.
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

        /// Returns the delay that a server set, clamped to the range.
        func time(askedFor time: Duration) -> Duration {
            Swift.min(Swift.max(time, serverTimes.lowerBound), serverTimes.upperBound)
        }

        /// Returns the delay after a number of consecutive failures.
        func delay(_ time: Duration, afterFailures count: Int) -> Duration {
            var delay = Swift.max(time, .zero)
            // A product with a power of two can overflow `Duration`, which traps.
            for _ in 0..<Swift.min(Swift.max(count - 1, 0), 64) {
                guard delay < maximumTime / 2 else { return Swift.max(delay, maximumTime) }
                delay += delay
            }
            return delay
        }
    }

    /// A connection whose response head has arrived.
    struct Connection: Sendable {
        let response: HTTPURLResponse
        /// Returns the next bytes of the body, or `nil` at its end.
        let next: @Sendable () async throws(AFError) -> Data?
    }

    let reconnection: Reconnection
    let lastEventID: String
    let maximumEventLength: Int
    /// Connects and sends the last identifier; an empty one is not sent.
    let connect: @Sendable (_ lastEventID: String) async throws(AFError) -> Connection
    let sleep: @Sendable (Duration) async throws -> Void

    /// Creates an iterator that connects on its first call of `next()`.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

    /// An iterator that reads events across connections.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private enum ConnectionState {
            case idle(wait: Duration?)
            case open(Connection)
            /// Events that were parsed before the failure are delivered first.
            case failed(AFError)
            case ended
        }

        private let source: EventSource
        private var state = ConnectionState.idle(wait: nil)
        private var parser: ServerSentEventParser
        private var events: ArraySlice<ServerSentEvent> = []
        private var time: Duration
        private var failures = 0

        init(_ source: EventSource) {
            self.source = source
            time = source.reconnection.time
            parser = ServerSentEventParser(lastEventID: source.lastEventID)
        }

        /// Returns the next event, or `nil` after the server has answered 204.
        ///
        /// - Throws: The error that prevents another connection.
        public mutating func next() async throws(AFError) -> ServerSentEvent? { try await next(isolation: nil) }

        /// Returns the next event, or `nil` after the server has answered 204.
        ///
        /// - Throws: The error that prevents another connection.
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
            // Awaits the response, so that a cancelled reader ends here.
            state = .ended
            let data: Data?
            do throws(AFError) {
                data = try await connection.next()
            } catch {
                // A server that has nothing to send is not broken.
                guard error.transportError?.isTimeout == true else {
                    return try fail(error, isWorthAnother: error.isBrokenConnection)
                }
                data = nil
            }
            failures = 0
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

/// The meaning of a response for an event source (WHATWG HTML §9.2.3).
enum EventStreamRules {
    enum Verdict {
        case stream
        /// The server has answered 204: the source must not reconnect.
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
    /// Whether the network failed, rather than a rule or the user ended the connection.
    fileprivate var isBrokenConnection: Bool {
        if case .sessionTaskFailed(let error) = self { !(error is CancellationError) } else { false }
    }
}
