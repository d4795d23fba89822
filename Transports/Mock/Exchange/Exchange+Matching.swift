internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes
internal import Synchronization

extension Exchange {
    /// Refuses what cannot be sent, and counts the rest among those in flight.
    func admit() throws(TransportError) -> Origin {
        let isShutDown = mock.state.withLock { state in
            if !state.isShutDown { state.inFlightCount += 1 }
            return state.isShutDown
        }
        if isShutDown { throw error(.transportShutDown, "the transport was shut down") }
        progress.withLock { $0.isAdmitted = true }
        if let refusal { throw refusal }
        let scheme = request.head.scheme?.lowercased() ?? ""
        guard ["http", "https", "ws", "wss"].contains(scheme) else {
            throw error(.unsupportedScheme, "the transport \(mock.configuration.engine) does not speak “\(scheme)”")
        }
        guard let origin else {
            let shown = Redaction.invalidURL(request.head.authority ?? "")
            throw error(.invalidRequest, "the request names no host: “\(shown)”")
        }
        return origin
    }

    /// Notes the request and finds the route that answers it.
    func match(_ body: RequestBodyReader) async throws(TransportError) -> MatchedRoute {
        if let book = mock.book { return try await match(body, in: book) }
        let (index, table) = mock.state.withLock { state in
            (state.record(request, at: start), state.table)
        }
        progress.withLock { $0.index = index }
        var record = RecordedRequest(index: index, instant: start, head: request.head, options: request.options)
        if table.needsBody(for: record) { try await prefetch(body, into: &record) }
        record.isComplete = record.isComplete || request.body.isNone

        let candidates = table.routes.map { $0.candidate(for: record) }
        let seed = mock.configuration.seed
        switch mock.state.withLock({ $0.match(candidates, for: record, seed: seed) }) {
        case .answered(let route, let reply, let generator):
            return try matched(index, route.name, reply, generator)
        case .unmatched(let report):
            guard case .reply(let reply) = mock.configuration.unmatched else { throw error(.unmatchedRequest, report) }
            var generator = SeededGenerator(seed: seed, route: -1, hit: index)
            let resolved = mock.state.withLock { $0.sequences.resolve(reply, using: &generator) }
            return try matched(index, "the reply to unmatched requests", resolved, generator)
        }
    }

    private func matched(
        _ index: Int,
        _ name: String,
        _ reply: ResolvedReply,
        _ generator: SeededGenerator
    ) throws(TransportError) -> MatchedRoute {
        var generator = generator
        switch reply {
        case .plan(let plan):
            let script = Script(plan, using: &generator)
            return MatchedRoute(index: index, name: name, script: script, handler: nil, generator: generator)
        case .handler(let handler, let changes):
            var plan = ReplyPlan()
            for change in changes { change(&plan) }
            let script = Script(plan, using: &generator)
            return MatchedRoute(
                index: index,
                name: name,
                script: script,
                handler: (handler, changes),
                generator: generator
            )
        case .exhausted(let reason): throw error(.unmatchedRequest, "\(name): \(reason)")
        }
    }

    /// Reads the body ahead, for routes that ask about it. It is sent from memory when its phase comes.
    func prefetch(
        _ body: RequestBodyReader,
        into record: inout RecordedRequest
    ) async throws(TransportError) {
        var collected = Data()
        while let chunk = try await next(of: body) { collected.append(chunk) }
        body.rewind(to: collected)
        record.body = collected
        record.isComplete = true
    }

    /// The next chunk of the request's body.
    func next(of body: RequestBodyReader) async throws(TransportError) -> Data? {
        do {
            if let source = body.source { return try await run { try await source.next() }.get() }
            return try body.next()
        } catch let error as TransportError {
            throw error
        } catch {
            let message = "the source of the request's body failed: \(error)"
            throw TransportError(
                .bodyFailed,
                phase: .requestBody,
                processing: progress.withLock { $0.isSent } ? .unknown : .notSent,
                message: message,
                origin: origin,
                underlying: error
            )
        }
    }
}
