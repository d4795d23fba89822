internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes

/// The way of a request to its response's head.
extension Exchange {
    /// Sends the request; returns once the final response's head has come.
    ///
    /// With a kept connection this waits once, for the response. All else runs without being asynchronous: each function that is
    /// costs a look at the executor when it is called and when it returns.
    nonisolated(nonsending) func send() async throws(TransportError) -> TransportResponse {
        emit(.started(plan.request))
        do throws(TransportError) {
            let connection: Connection
            switch try begin() {
            case .connection(let kept): connection = kept
            case let opening: connection = try await finish(opening)
            }
            do throws(TransportError) {
                startWriting(connection)
                if try !write(connection) { try await finishWriting(connection) }
                while head == nil {
                    if !connection.mayHaveMore { try check(await waitForInput(connection)) }
                    try receive(connection)
                    if end != nil { await settle(connection) }
                }
            } catch {
                try await repeatOnce(after: error, on: connection)
            }
        } catch {
            fail(error)
            throw error
        }
        return makeResponse()
    }

    // MARK: Repetition

    private nonisolated(nonsending) func repeatOnce(
        after error: TransportError,
        on connection: Connection
    ) async throws(TransportError) {
        let reason = try repetition(after: error, on: connection)
        emit(.decided(TransportDecision(.retried(attempt: 2), reason: reason)))
        uploader?.cancel()
        uploader = nil
        let hadSent = hasSent
        hasSent = false
        do throws(TransportError) {
            let connection = try await finish(try beginAnew())
            startWriting(connection)
            try await finishWriting(connection)
            while head == nil {
                if !connection.mayHaveMore { try check(await waitForInput(connection)) }
                try receive(connection)
                if end != nil { await settle(connection) }
            }
        } catch {
            // What the server did with the first is not undone by a second that did not reach it.
            throw hadSent ? error.withUnknownProcessing() : error
        }
    }

    /// Why a request may be sent again after its kept connection turned out to be dead.
    ///
    /// - Throws: `error`, when it may not: the server may have acted on it (RFC 9110 §9.2.2).
    private func repetition(after error: TransportError, on connection: Connection) throws(TransportError) -> String {
        let wasDead = error.code == .connectionLost && connection.exchangeCount > 1 && !connection.parser.hasBegun
        guard wasDead else { throw error }
        guard hasSent else { return "the kept connection was closed before a byte of the request left" }
        guard plan.isIdempotent else {
            throw self.error(
                .connectionLost,
                "the kept connection was closed before a response came, and \(plan.method) is not safe to repeat",
                library: error.libraryMessage
            )
        }
        guard plan.content.isReplayable else {
            throw self.error(
                .bodyNotReplayable,
                "the kept connection was lost, and the request's body cannot be sent a second time"
            )
        }
        return "the kept connection was closed before a response came, and \(plan.method) is safe to repeat"
    }
}
