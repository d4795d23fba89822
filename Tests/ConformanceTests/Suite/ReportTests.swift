import AirframeConformance
import AirframeSocket
import AirframeTransport
import ConformanceEngines
import FoundationEssentials
import HTTPTypes
import Testing

@Suite("The report", .timeLimit(.minutes(2)))
struct ReportTests {
    /// Some cases of these ids.
    private func cases(_ ids: String...) -> [ConformanceCase] {
        ConformanceSuite.cases.filter { ids.contains($0.id) }
    }

    @Test("counts passed, failed and skipped cases by group and by level")
    func scores() async {
        // Broken: an error of the response's body becomes its end.
        let engine = ConformanceEngine(claiming: [.exchange, .streaming]) {
            BrokenTransport(SocketTransport()) { request, base throws(TransportError) in
                try await base.send(request).changingErrors { _ in nil }
            }
        }
        let report = await ConformanceSuite.report(
            on: engine,
            cases: cases("length.exact", "length.too-short.close", "halfread.too-large", "reuse.kept", "events.head"),
            exclusions: ["halfread.too-large": "for the test"]
        )
        #expect(report.engine == SocketTransport().capabilities.engine)
        #expect(report.claims == [.exchange, .streaming])
        #expect(report.results(that: .passed).map(\.id) == ["length.exact"])
        #expect(report.results(that: .failed).map(\.id) == ["length.too-short.close"])
        let length = report.score(of: ConformanceGroup.length)
        #expect((length.passed, length.failed, length.skipped) == (1, 1, 0))
        let connections = report.score(of: ConformanceLevel.connections)
        #expect((connections.passed, connections.failed, connections.skipped) == (0, 0, 1))
        #expect((report.score.run, report.score.skipped) == (2, 3))
        let reasons = Dictionary(grouping: report.results(that: .skipped), by: \.id).mapValues { $0[0].reasons }
        #expect(reasons["halfread.too-large"] == ["excluded: for the test"])
        #expect(reasons["reuse.kept"] == ["the engine does not claim connections"])
        #expect(reasons["events.head"] == ["the engine does not claim events"])
    }

    @Test("is the same after a round trip through JSON, which holds the scores")
    func json() async throws {
        let report = await ConformanceSuite.report(
            on: NamedEngine.sockets.engine, cases: cases("length.exact", "trust.protocol.http2-only"))
        let json = try report.json()
        #expect(try JSONDecoder().decode(ConformanceReport.self, from: json) == report)
        struct Scores: Decodable {
            let score: ConformanceScore
            let levels: [String: ConformanceScore]
            let groups: [String: ConformanceScore]
        }
        let scores = try JSONDecoder().decode(Scores.self, from: json)
        #expect(scores.score == report.score)
        #expect(scores.levels["exchange"] == report.score(of: ConformanceLevel.exchange))
        #expect(scores.groups.count == ConformanceGroup.allCases.count)
    }

    @Test("lists failures with their reasons, and counts skips by their reasons")
    func text() async {
        let report = await ConformanceSuite.report(
            on: ConformanceEngine(claiming: [.exchange]) { silentTransport() },
            cases: cases("length.exact", "reuse.kept", "reuse.described"), waiting: .milliseconds(100))
        let text = report.description
        #expect(text.hasPrefix("silent: 0 of 1 passed, 1 failed, 2 skipped"))
        #expect(text.contains("length.exact (exchange, "))
        #expect(text.contains("did not end within"))
        #expect(text.contains("1: the engine does not claim connections\n"))
        #expect(text.contains("1: the engine does not claim events and connections\n"))
    }

    @Test("a case counts at the last of its levels, and is skipped if one is not claimed")
    func levels() throws {
        func levels(_ id: String) throws -> (ConformanceLevel, Set<ConformanceLevel>) {
            let conformanceCase = try #require(ConformanceSuite.cases.first { $0.id == id })
            return (conformanceCase.level, conformanceCase.levels)
        }
        #expect(try levels("length.exact") == (.exchange, [.exchange]))
        #expect(try levels("backpressure.response") == (.streaming, [.streaming]))
        #expect(try levels("informational.reported") == (.events, [.exchange, .events]))
        #expect(try levels("limits.tls") == (.trust, [.connections, .trust]))
        #expect(try levels("cancellation.pool") == (.connections, [.exchange, .connections]))
        #expect(try levels("trust.protocol.http2-only") == (.versions, [.trust, .versions]))
        #expect(
            ConformanceLevel.allCases.allSatisfy { level in ConformanceSuite.cases.contains { $0.level == level } })
    }

    @Test("trust and versions are claimed only if the capabilities have their features")
    func permittedClaims() async {
        let report = await ConformanceSuite.report(
            on: ConformanceEngine { silentTransport() }, cases: cases("trust.default.sound"))
        #expect(report.claims == [.exchange, .streaming, .events, .connections])
        #expect(report.score.skipped == 1)
    }

    @Test("an engine that cannot be created fails every case with the reason")
    func unmakeable() async {
        struct Unmakeable: Error, CustomStringConvertible { let description = "no licence" }
        let report = await ConformanceSuite.report(over: { throw Unmakeable() }, claiming: [.exchange])
        #expect(report.score.failed == ConformanceSuite.cases.count)
        #expect(report.results.allSatisfy { $0.reasons == ["the engine cannot be made: no licence"] })
    }
}

@Suite("An engine of another author", .serialized, .timeLimit(.minutes(3)))
struct ForeignEngineTests {
    @Test("that reports no events and keeps no connection passes all of *exchange*, and most without waiting")
    func noEvents() async {
        let report = await ConformanceSuite.report(over: { QuietTransport() }, claiming: [.exchange])
        #expect(report.results(that: .failed).map { "\($0.id): \($0.reasons)" } == [])
        #expect(report.score(of: ConformanceLevel.exchange).run > 200)
        // Waits for events that never come would take a second or more for each case.
        #expect(
            report.results.filter { $0.seconds > 1 }.count < 20, "slow: \(report.results.filter { $0.seconds > 1 })")
    }

    @Test("that never answers fails fast: a case takes seconds")
    func silentCase() async {
        let start = ContinuousClock.now
        let report = await ConformanceSuite.report(
            on: ConformanceEngine(claiming: [.exchange]) { silentTransport() },
            cases: ConformanceSuite.cases.filter { $0.id == "length.exact" }, waiting: .milliseconds(500))
        #expect(report.score.failed == 1)
        #expect(ContinuousClock.now - start < .seconds(6))
    }

    @Test("that never answers ends with the time for the whole suite")
    func silentSuite() async {
        let start = ContinuousClock.now
        let report = await ConformanceSuite.report(
            on: ConformanceEngine { silentTransport() }, waiting: .milliseconds(250), within: .seconds(3))
        #expect(ContinuousClock.now - start < .seconds(8))
        #expect(report.results.count == ConformanceSuite.cases.count)
        #expect(report.score.passed == 0)
        #expect(
            report.results(that: .failed).last?.reasons == ["not run: the time for the whole suite, 3.0 s, was over"])
    }
}

/// An engine without events, without a description of its connections, and with a connection for each exchange.
private struct QuietTransport: Transport {
    let capabilities = {
        var capabilities = SocketTransport().capabilities
        capabilities.features.remove(.upgrade)
        return capabilities
    }()

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        var request = request
        request.events = nil
        var response = try await SocketTransport().send(request)
        response.connection = nil
        return response
    }
}

/// Never answers, and does not heed cancellation.
private func silentTransport() -> ClosureTransport {
    ClosureTransport(engine: "silent", features: .http1) { _ throws(TransportError) in
        await Task { try? await Task.sleep(for: .seconds(50)) }.value
        throw .cancelled(in: .pool, processing: .notSent)
    }
}
