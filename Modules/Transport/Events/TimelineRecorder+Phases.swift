// The phases of every exchange, for engines: each is recorded in place, without an event.

extension TimelineRecorder {
    /// Records that the engine started the request.
    package func start(_ exchange: ExchangeIdentifier, _ head: SharedRequestHead, at instant: MonotonicInstant) {
        change(exchange, at: instant) { timeline in
            timeline.pass(instant)
            timeline.start(head, at: instant)
        }
    }

    /// Records that the exchange acquired its connection.
    ///
    /// - Parameter reuse: The reason for the reuse of a connection; `nil` if the connection is new.
    package func acquire(
        _ exchange: ExchangeIdentifier,
        _ connection: TransportConnection,
        reuse: String?,
        at instant: MonotonicInstant
    ) {
        change(exchange, at: instant) { timeline in
            timeline.pass(instant)
            if let reuse { timeline.reuse = (connection.id, reuse, instant) }
            timeline.connection = connection
            timeline.connectionAcquired = instant
        }
    }

    /// Records that the request's head and some bytes of its body were written.
    ///
    /// - Parameter isWhole: Whether that was the whole request.
    package func send(
        _ exchange: ExchangeIdentifier,
        headBytes: Int,
        bodyBytes: Int64,
        isWhole: Bool,
        at instant: MonotonicInstant
    ) {
        change(exchange, at: instant) { timeline in
            timeline.pass(instant)
            timeline.requestHeadBytes = headBytes
            timeline.requestHeadSent = instant
            if bodyBytes > 0 {
                timeline.requestBodyBytes = bodyBytes
                timeline.requestBodySent = instant
            }
            if isWhole { timeline.requestFinished = instant }
        }
    }

    /// Records that the head of the final response arrived.
    package func receive(
        _ exchange: ExchangeIdentifier,
        _ head: SharedResponseHead,
        headBytes: Int,
        at instant: MonotonicInstant
    ) {
        change(exchange, at: instant) { timeline in
            timeline.pass(instant)
            timeline.finalHead = head
            timeline.responseHeadBytes = headBytes
            timeline.responseHead = instant
        }
    }

    /// Records the number of bytes of the response's body that have arrived.
    package func receive(_ exchange: ExchangeIdentifier, bodyBytes: Int64, at instant: MonotonicInstant) {
        change(exchange, at: instant) { timeline in
            timeline.pass(instant)
            timeline.responseBodyBytes = bodyBytes
            timeline.firstBodyByte = timeline.firstBodyByte ?? instant
            timeline.lastBodyByte = instant
        }
    }

    /// Records that the exchange ended, and its connection is kept.
    package func release(_ exchange: ExchangeIdentifier, at instant: MonotonicInstant) {
        change(exchange, at: instant) { timeline in
            timeline.pass(instant)
            timeline.end(.released(.kept), at: instant)
        }
    }
}
