import AirframeCore
import AirframeMock
import AirframeSerialization
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@testable import AirframeLogging

@Suite("The console logger", .timeLimit(.minutes(1)))
struct ConsoleLoggerTests {
    private let mock = MockTransport {
        Route(.get, "/").reply(.text("text").delayed(by: .milliseconds(250)))
        Route(.get, "/old").reply(.redirect(to: "/"))
        Route(.get, "/broken").reply(.status(503))
        Route(.get, "/refused").reply(.fault(.connectionRefused))
    }

    private func lines(
        _ path: String,
        _ detail: ConsoleLogger.Detail,
        _ style: ConsoleStyle = .plain
    ) async -> [String] {
        let lines = LineCollector()
        let logger = ConsoleLogger(detail, style: style, to: lines.sink)
        let session = Session(transport: mock, eventMonitors: [logger])
        _ = await session.request("http://api.test\(path)").serializingString(emptyResponseCodes: [503]).response
        await logger.flush()
        return lines.lines
    }

    @Test("it writes a line for each request, with a mark for the outcome")
    func marks() async {
        #expect(await lines("/", .requests).map { $0.prefix(30) } == ["+ GET http://api.test/ 200 in "])
        #expect(await lines("/broken", .requests).first?.hasPrefix("! GET http://api.test/broken 503 in ") == true)
        #expect(await lines("/refused", .requests).first?.hasPrefix("! GET http://api.test/refused failed: ") == true)
        let unicode = ConsoleStyle(usesColours: false, usesUnicode: true)
        #expect(await lines("/", .requests, unicode).first?.hasPrefix("✔ GET ") == true)
        let coloured = ConsoleStyle(usesColours: true, usesUnicode: false)
        #expect(await lines("/", .requests, coloured).first?.hasPrefix("\u{1B}[32m+\u{1B}[0m GET ") == true)
    }

    @Test("the words for a connection name its version, and the stream over HTTP/2")
    func connections() {
        let exchange = ExchangeIdentifier()
        func words(_ connection: TransportConnection) -> String? {
            var words = EventWords()
            let instant = MonotonicInstant(nanoseconds: 1)
            return words.phase(TransportEvent(.connectionAcquired(connection), of: exchange, at: instant))?.words
        }
        #expect(words(TransportConnection(id: 7, httpVersion: .http1_1)) == "new connection 7, HTTP/1.1")
        let shared = TransportConnection(id: 8, httpVersion: .http2, isReused: true, streamID: 5)
        #expect(words(shared) == "kept connection 8, HTTP/2, stream 5")
    }

    @Test("it draws the durations of phases, on the virtual clock too")
    func phases() async throws {
        let lines = await lines("/", .standard)
        #expect(lines.count == 2)
        let bar = try #require(lines.last)
        #expect(bar.hasPrefix("  ----------"))
        #expect(bar.contains(" 250.0 ms: ") && bar.contains("- wait 250.0 ms"), "\(bar)")
    }

    @Test("it writes redirects, and the duration of each exchange")
    func redirects() async throws {
        let lines = await lines("/old", .verbose)
        #expect(lines.contains("> GET http://api.test/old"))
        #expect(lines.contains("> GET http://api.test/"))
        #expect(lines.contains { $0.hasPrefix("< Location: /") })
        #expect(lines.contains { $0.hasPrefix("* redirect 302 followed to http://api.test/: ") }, "\(lines)")
        #expect(lines.last?.hasSuffix(" (200 http://api.test/)") == true)
    }

    @Test("it writes retries and the failures before them")
    func retries() async throws {
        let lines = LineCollector()
        let logger = ConsoleLogger([.decisions], style: .plain, to: lines.sink)
        let again = Retrier { request, _, _, completion in completion(request.retryCount < 1 ? .retry : .doNotRetry) }
        let session = Session(
            transport: mock,
            interceptor: Interceptor(retriers: [again]),
            eventMonitors: [logger]
        )
        _ = await session.request("http://api.test/refused").serializingString().response
        await logger.flush()
        #expect(lines.lines.count { $0 == "* trying again" } == 1)
        #expect(lines.lines.count { $0.hasPrefix("* request to http://api.test:80 failed in connect") } == 2)
    }

    @Test("it writes the reason for which a server is not trusted")
    func untrustedServer() async {
        let lines = LineCollector()
        let logger = ConsoleLogger([.decisions], style: .plain, to: lines.sink)
        let engine = ClosureTransport { _ throws(TransportError) in
            throw TransportError(
                .trustRefused, phase: .tls, processing: .notSent, message: "the chain was refused",
                underlying: AFError.ServerTrustFailureReason.noCertificatesFound)
        }
        let session = Session(transport: engine, eventMonitors: [logger])
        let error = await session.request("https://api.test/").serializingString().response.error
        await logger.flush()
        #expect(error?.isServerTrustEvaluationError == true)
        #expect(lines.lines.count { $0.hasPrefix("* ") } == 1, "\(lines.lines)")
    }

    @Test("A silent logger does no work for a request")
    func nothing() {
        let session = Session(transport: mock, eventMonitors: [ConsoleLogger([])])
        #expect(session.request("http://api.test/").eventMonitor == nil)
    }

    @Test(
        "Colours and characters depend on the environment and the sink (no-color.org)",
        arguments: [
            (true, ["LANG": "en_US.UTF-8"], true, true),
            (true, ["LANG": "C", "LC_ALL": "de_DE.utf8"], true, true),
            (true, ["LANG": "en_US.UTF-8", "LC_ALL": "C"], true, false),
            (true, ["NO_COLOR": "1"], false, false),
            (true, ["NO_COLOR": ""], true, false),
            (true, ["TERM": "dumb"], false, false),
            (false, ["LANG": "C.UTF-8"], false, true),
            (false, [:], false, false),
        ] as [(Bool, [String: String], Bool, Bool)]
    )
    func style(isTerminal: Bool, environment: [String: String], colours: Bool, unicode: Bool) {
        let style = ConsoleStyle.automatic(for: LineSink(isTerminal: isTerminal) { _ in }, environment: environment)
        #expect(style == ConsoleStyle(usesColours: colours, usesUnicode: unicode))
    }

    @Test(
        "A bar is as wide as the style says, and each phase is at least one column of it",
        arguments: [
            ([(.wait, 1)], "---------- 1.00 s: - wait 1.00 s"),
            ([(.resolve, 0.5), (.wait, 0.5)], "rrrrr----- 1.00 s: r resolve 500.0 ms, - wait 500.0 ms"),
            (
                [(.connect, 0.000_001), (.tls, 0), (.wait, 2), (.receive, 0.000_001)],
                "c--------# 2.00 s: c connect 0.00 ms, - wait 2.00 s, # receive 0.00 ms"
            ),
            ([], nil),
        ] as [([(PhaseBar.Phase, TimeInterval)], String?)]
    )
    func bars(phases: [(PhaseBar.Phase, TimeInterval)], expected: String?) {
        let style = ConsoleStyle(usesColours: false, usesUnicode: false, barWidth: 10)
        let bar = PhaseBar(phases.map { (phase: $0.0, duration: $0.1) })
        #expect(bar.lines(style) == (expected.map { [$0] } ?? []))
    }

    @Test("the legend of a bar has its own line where the line would be wider than the terminal")
    func wideBars() {
        let bar = PhaseBar([(phase: .resolve, duration: 0.5), (phase: .wait, duration: 0.5)])
        let line = "rrrrr----- 1.00 s: r resolve 500.0 ms, - wait 500.0 ms (200 /)"
        var style = ConsoleStyle(usesColours: true, usesUnicode: false, barWidth: 10, lineWidth: line.count + 2)
        #expect(bar.lines(style, subject: " (200 /)").count == 1)
        style.lineWidth = line.count + 1
        style.usesColours = false
        #expect(
            bar.lines(style, subject: " (200 /)")
                == ["rrrrr----- 1.00 s (200 /)", "r resolve 500.0 ms, - wait 500.0 ms"])
    }

    @Test(
        "Durations are short, and no value traps",
        arguments: [
            (0, "0.00 ms"), (0.000_42, "0.42 ms"), (0.0123, "12.3 ms"), (0.9999, "999.9 ms"), (4.2, "4.20 s"),
            (-1, "0.00 ms"), (.infinity, "0 ms"), (.nan, "0.00 ms"), (1e300, "0 ms"),
        ] as [(TimeInterval, String)]
    )
    func durations(duration: TimeInterval, expected: String) {
        #expect(duration.durationText == expected)
    }

    @Test(
        "Sizes are in powers of ten",
        arguments: [
            (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (999_960, "1.0 MB"), (1_250_000, "1.3 MB"), (-5, "0 B"),
            (.max, "9223.4 PB"),
        ] as [(Int64, String)]
    )
    func sizes(size: Int64, expected: String) {
        #expect(size.byteCountText == expected)
    }
}
