internal import AirframeTransport
internal import AirframeWebSocketProtocol
internal import FoundationEssentials
internal import HTTPTypes
internal import Synchronization

extension Exchange {
    /// Has the route answer, and returns the response's head.
    func respond(
        to matched: MatchedRoute,
        on connection: TransportConnection
    ) async throws(TransportError) -> TransportResponse {
        progress.withLock { $0.phase = .responseHead }
        var limit = firstByteLimit
        let script = try await script(of: matched, limit)
        for response in script.plan.informational {
            try checkpoint()
            if features.contains(.informationalResponses) { emit(.informationalResponse(response)) }
            // The wait for the final response begins anew.
            limit = firstByteLimit
        }
        try await enter(.responseHead, script, limit)
        try meetReset(script.plan)

        let plan = try load(script.plan)
        var head = plan.head(for: request.head.method)
        if plan.answersWebSocketKey, let key = request.head.headerFields[.secWebSocketKey] {
            head.headerFields[.secWebSocketAccept] = HandshakeKey(key).accept
        }
        if plan.serve != nil { try checkSwitch(head) }
        emit(.responseHead(plan.receivedHead ?? head, byteCount: head.wireByteCount))
        var response = TransportResponse(
            head: head,
            body: body(plan, script, head, on: connection),
            connection: connection,
            answering: request
        )
        response.receivedHead = plan.receivedHead
        response.source = mock.book == nil ? .mock : .replay
        if let serve = plan.serve { response.stream = MockStream(self, serve) }
        return response
    }

    private var firstByteLimit: Limit? { limit(\.firstByte, "the limit on waiting for the first byte") }

    /// Rejects a switch of protocols that the request did not ask for.
    private func checkSwitch(_ head: HTTPResponse) throws(TransportError) {
        guard let upgrade = request.upgrade else {
            throw error(.malformedResponse, "the server switched protocols (101), but the request set no `upgrade`")
        }
        if let chosen = head.headerFields[.upgrade], !upgrade.isAccepted(by: head) {
            throw error(.malformedResponse, "the server switched to another protocol than asked for: \(chosen)")
        }
    }

    /// Returns the script of a route. A closure is called for it.
    private func script(of matched: MatchedRoute, _ limit: Limit?) async throws(TransportError) -> Script {
        guard var (handler, changes) = matched.handler else { return matched.script }
        var generator = matched.generator
        while true {
            let record = mock.state.withLock { $0.record(at: matched.index) }
            guard let record else { throw error(.engineFailure, "the mock was reset while a request was under way") }
            let reply = try reply(await run(limit) { [handler] in try await handler(record) }, matched.name)
            switch mock.state.withLock({ $0.sequences.resolve(reply, using: &generator) }) {
            case .plan(var plan):
                for change in changes { change(&plan) }
                let script = Script(plan, using: &generator)
                // The faults and delays that were set on the closure's reply in advance have been applied in their
                // phases.
                if matched.script.plan.fault == nil { try failIfLate(plan.fault) }
                return script
            case .handler(let next, let further):
                handler = next
                changes = further + changes
            case .exhausted(let reason): throw error(.unmatchedRequest, "\(matched.name): \(reason)")
            }
        }
    }

    private func reply(
        _ result: Result<Reply, any Error>,
        _ name: String
    ) throws(TransportError) -> Reply {
        switch result {
        case .success(let reply): return reply
        case .failure(let failure as TransportError): throw failure
        case .failure(let failure):
            throw error(.engineFailure, "the closure of the route \(name) threw \(failure)", underlying: failure)
        }
    }

    /// A closure answers when the request has arrived, so an earlier fault can only be reported.
    private func failIfLate(_ fault: Fault?) throws(TransportError) {
        guard let fault, fault.isInConnecting else { return }
        switch fault.kind {
        case .failure(let code, let message, let words):
            throw TransportError(
                code,
                phase: fault.phase,
                processing: .notSent,
                message: message,
                origin: origin,
                libraryMessage: words
            )
        default:
            throw error(.engineFailure, "a closure cannot answer with a fault of the phase \(fault.phase)")
        }
    }

    private func meetReset(_ plan: ReplyPlan) throws(TransportError) {
        guard let fault = plan.fault, fault.phase == .responseHead, case .reset = fault.kind else { return }
        let place = fault.byteCount == 0 ? "before a byte of the response came" : "in the middle of the response's head"
        throw error(.connectionLost, "the connection broke \(place)")
    }

    /// Returns the plan with the content of its file.
    private func load(_ plan: ReplyPlan) throws(TransportError) -> ReplyPlan {
        switch plan.body {
        case .file(let path):
            do {
                var loaded = plan
                loaded.body = .data(try Data(contentsOf: URL(filePath: path)))
                return loaded
            } catch let failure {
                throw error(.engineFailure, "the file of the reply, \(path), cannot be read", underlying: failure)
            }
        case .unusable(let message, let failure): throw error(.engineFailure, message, underlying: failure)
        case .none, .data, .chunks, .stream: return plan
        }
    }

    /// Returns the body, whose source is this exchange, or an empty one.
    private func body(
        _ plan: ReplyPlan,
        _ script: Script,
        _ head: HTTPResponse,
        on connection: TransportConnection
    ) -> ResponseBody {
        guard plan.serve == nil else { return ResponseBody() }
        let hasBody = plan.hasBody(for: request.head.method)
        let announced = hasBody ? head.headerFields[.contentLength].flatMap { Int64($0) } : 0
        let hasFault = plan.fault?.phase == .responseBody
        if !hasBody || announced == 0 && plan.body.length == 0 && plan.trailers == nil && !hasFault {
            finish(closingBecause: closingReason(plan, on: connection))
            return ResponseBody()
        }
        let body = call {
            BodyProgress(
                plan,
                delay: script.delays[.responseBody] ?? .zero,
                announced: announced,
                isHTTP2: connection.httpVersion == .http2,
                closingReason: closingReason(plan, on: connection)
            )
        }
        progress.withLock { $0.body = body }
        return ResponseBody(self, expectedLength: announced)
    }

    private func closingReason(_ plan: ReplyPlan, on connection: TransportConnection) -> String? {
        if !progress.withLock({ $0.isRequestFinished }) {
            return "the server answered before it had the request's body"
        }
        if plan.closesConnection || plan.fields[.connection]?.lowercased() == "close" { return "the server closed it" }
        if connection.httpVersion == .http1_0 { return "HTTP/1.0 keeps no connection" }
        return nil
    }
}
