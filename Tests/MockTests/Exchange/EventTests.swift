import AirframeMock
import AirframeTestSupport
import AirframeTransport
import FoundationEssentials
import HTTPTypes
import Testing

@Suite("Events of a mock", .timeLimit(.minutes(1)))
struct EventTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let request: TransportRequest
        var reply = Reply.text("x")
        let names: [String]
    }

    private static let opening = ["started", "resolveStarted", "resolveFinished", "connectStarted", "connectFinished"]
    private static let sending = ["connectionAcquired", "requestHeadSent"]
    private static let answer = ["responseHead", "responseBodyReceived", "released"]

    static let cases = [
        Case(
            testDescription: "GET over http",
            request: .get("/"),
            names: opening + sending + ["requestFinished"] + answer
        ),
        Case(
            testDescription: "GET over https",
            request: .get("https://api.test/"),
            names: opening + ["tlsStarted", "tlsFinished"] + sending + ["requestFinished"] + answer
        ),
        Case(
            testDescription: "an address in place of a name",
            request: .get("http://127.0.0.1:8080/"),
            names: ["started", "connectStarted", "connectFinished"] + sending + ["requestFinished"] + answer
        ),
        Case(
            testDescription: "a Unix socket",
            request: .get("/").with { $0.options.unixSocketPath = "/run/x.sock" },
            names: ["started", "connectStarted", "connectFinished"] + sending + ["requestFinished"] + answer
        ),
        Case(
            testDescription: "an address given for the name",
            request: .get("/").with {
                $0.options.resolveOverrides = [ResolveOverride(host: "api.test", port: 80, addresses: ["::1"])]
            },
            names: ["started", "connectStarted", "connectFinished"] + sending + ["requestFinished"] + answer
        ),
        Case(
            testDescription: "a tunnel through a proxy",
            request: .get("https://api.test/").with {
                $0.options.proxy = .proxy(Proxy(host: "proxy.test", port: 3128))
            },
            names: opening + ["proxyStarted", "proxyFinished", "tlsStarted", "tlsFinished"] + sending
                + ["requestFinished"] + answer
        ),
        Case(
            testDescription: "a body in pieces",
            request: .post("/", .bytes(Data(count: 150 * 1024))),
            names: opening + sending + Array(repeating: "requestBodySent", count: 3) + ["requestFinished"] + answer
        ),
        Case(
            testDescription: "a request for leave to send the body",
            request: .post("/", .bytes(Data("x".utf8))).with { $0.options.expectContinue = .always(wait: .seconds(1)) },
            names: opening + sending + ["informationalResponse", "requestBodySent", "requestFinished"] + answer
        ),
        Case(
            testDescription: "a server that does not know such requests",
            request: .post("/", .bytes(Data("x".utf8))).with { $0.options.expectContinue = .always(wait: .seconds(1)) },
            reply: .text("x").withoutContinue(),
            names: opening + sending + ["requestBodySent", "requestFinished"] + answer
        ),
        Case(
            testDescription: "an answer before the body",
            request: .post("/", .bytes(Data("x".utf8))),
            reply: .status(413).beforeBody(),
            names: opening + sending + ["responseHead", "released"]
        ),
        Case(
            testDescription: "an informational response and trailers",
            request: .get("/"),
            reply: .text("x").informational(.earlyHints).trailers([.eTag: "1"]),
            names: opening + sending + ["requestFinished", "informationalResponse"]
                + ["responseHead", "responseBodyReceived", "trailers", "released"]
        ),
        Case(
            testDescription: "no body",
            request: .get("/"),
            reply: .status(204),
            names: opening + sending + ["requestFinished", "responseHead", "released"]
        ),
    ]

    @Test("An exchange reports the events of an engine in order, at increasing instants", arguments: cases)
    func order(test: Case) async throws {
        let mock = MockTransport { Route("/").reply(test.reply) }
        let log = EventLog()
        _ = try await mock.fetch(test.request.with { $0.events = log })
        #expect(log.names == test.names)
        #expect(log.instants == log.instants.sorted())
    }

    @Test("A reused connection is reported as a decision, without lookup and handshake")
    func reuse() async throws {
        let mock = MockTransport { Route("/").reply(.text("x")) }
        let first = EventLog()
        let second = EventLog()
        _ = try await mock.fetch(.get("https://api.test/", events: first))
        _ = try await mock.fetch(.get("https://api.test/", events: second))
        #expect(second.names == ["started", "decided"] + Self.sending + ["requestFinished"] + Self.answer)
        let ids = [first, second].map { log in
            log.events.compactMap { event in
                if case .connectionAcquired(let connection) = event.kind { connection } else { nil }
            }.first
        }
        #expect(ids[0]?.id == ids[1]?.id)
        #expect(ids.map(\.?.isReused) == [false, true])
        guard case .released(.kept) = second.events.last?.kind else {
            Issue.record("the connection was not kept")
            return
        }
    }

    @Test("Sizes and totals are those of the bytes on the wire")
    func sizes() async throws {
        let mock = MockTransport { Route("/").reply(.data(Data(count: 100)).throttled(chunkSize: 30)) }
        let log = EventLog()
        _ = try await mock.fetch(.post("/", .bytes(Data(count: 10)), events: log))
        var texts: [String] = []
        for event in log.events {
            switch event.kind {
            case .requestHeadSent(let count): texts.append("head \(count ?? 0)")
            case .requestBodySent(let count, let total): texts.append("sent \(count) \(total)")
            case .responseBodyReceived(let count, let total): texts.append("got \(count) \(total)")
            default: break
            }
        }
        let head = "POST / HTTP/1.1\r\nHost: api.test\r\n\r\n".utf8.count
        #expect(texts == ["head \(head)", "sent 10 10", "got 30 30", "got 30 60", "got 30 90", "got 10 100"])
    }
}
