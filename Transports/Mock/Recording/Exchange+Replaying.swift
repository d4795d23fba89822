internal import AirframeTransport
internal import Synchronization

extension Exchange {
    /// Records the request and finds the archive's entry that answers it.
    func match(_ body: RequestBodyReader, in book: ReplayBook) async throws(TransportError) -> MatchedRoute {
        let index = mock.state.withLock { $0.record(request, at: start) }
        progress.withLock { $0.index = index }
        var record = RecordedRequest(index: index, instant: start, head: request.head, options: request.options)
        if book.needsBody { try await prefetch(body, into: &record) }

        switch book.match(record) {
        case .unmatched(let report): throw error(.unmatchedRequest, report)
        case .entry(let entry, let hit):
            mock.state.withLock { state in
                state.update(index) { record in
                    record.routeName = entry.name
                    record.hit = hit
                }
            }
            let plan = book.configuration.timing == .original ? entry.timedPlan : entry.plan
            var generator = SeededGenerator(seed: 0, route: entry.index, hit: hit)
            let script = Script(plan, using: &generator)
            return MatchedRoute(index: index, name: entry.name, script: script, handler: nil, generator: generator)
        }
    }
}
