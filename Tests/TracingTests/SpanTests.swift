import AirframeCore
import AirframeMock
import AirframeSerialization
import AirframeTracing
import AirframeTransport
import Foundation
import HTTPTypes
import InMemoryTracing
import Testing
import Tracing

@Suite("Spans", .timeLimit(.minutes(1)))
struct SpanTests {
    let tracer = TestTracer()

    @Test("a request is a span, its attempt a client span with the attributes of OpenTelemetry's conventions")
    func attributes() async throws {
        let mock = MockTransport { Route(.get, "/users/7").reply(.text("Ada")) }
        let session = Session(mock, tracer: tracer)
        _ = await session.request("https://ada:secret@api.test/users/7?page=2&token=hidden").serializingData().response
        let trace = try await tracer.spans()
        let request = try #require(trace.requests.first)
        let attempt = try #require(trace.attempts.first)
        #expect(trace.requests.count == 1 && trace.attempts.count == 1)
        #expect(request.kind == .internal && request.parentSpanID == nil && request.status == nil)
        #expect(attempt.operationName == "GET")
        #expect(attempt.parentSpanID == request.spanID)
        #expect(attempt.status == nil)
        for span in [request, attempt] {
            #expect(span["http.request.method"] == "GET")
            #expect(span["server.address"] == "api.test")
            #expect(span["server.port"] == 443)
            guard case .string(let url) = span["url.full"] else {
                Issue.record("no url.full")
                continue
            }
            #expect(url.hasPrefix("https://") && url.contains("api.test/users/7?page=2&token="))
            #expect(!url.contains("secret") && !url.contains("hidden"))
        }
        #expect(attempt["http.response.status_code"] == 200)
        #expect(attempt["network.protocol.name"] == "http")
        #expect(attempt["network.protocol.version"] == "1.1")
        #expect(attempt["network.peer.port"] == 443)
        #expect(attempt["network.peer.address"] != nil)
        #expect(attempt["http.response.body.size"] == 3)
        #expect(attempt["http.request.resend_count"] == nil)
        #expect(attempt["error.type"] == nil)
        #expect(attempt["user_agent.original"] == nil)
        trace.expectNesting()
    }

    @Test("name resolution, connecting and TLS are children with the instants of their events")
    func phases() async throws {
        let mock = MockTransport {
            Route(.get, "/").reply(
                .text("body")
                    .delayed(by: .seconds(1), in: .resolve)
                    .delayed(by: .seconds(2), in: .connect)
                    .delayed(by: .seconds(3), in: .tls)
                    .delayed(by: .seconds(4), in: .responseHead)
            )
        }
        let session = Session(mock, tracer: tracer)
        let base = mock.virtualClock.date.timeIntervalSince1970
        for _ in 0..<2 { _ = await session.request("https://api.test/").serializingData().response }
        let trace = try await tracer.spans()
        let (first, second) = (try #require(trace.attempts.first), try #require(trace.attempts.last))
        let phases = trace.children(of: first)
        try #require(phases.map(\.operationName) == ["DNS", "connect", "TLS"])
        #expect(phases.map(\.duration) == [.seconds(1), .seconds(2), .seconds(3)])
        #expect(phases.allSatisfy { $0.kind == .internal && $0.status == nil })
        #expect(first.duration == .seconds(10))
        #expect(abs(Double(first.start) / 1e9 - base) < 0.001)
        #expect(zip(phases, phases.dropFirst()).allSatisfy { $0.end == $1.start })
        #expect(phases[0]["dns.question.name"] == "api.test")
        #expect(phases[1]["network.peer.port"] == 443)
        #expect(phases[2]["tls.protocol.version"] == "1.3")
        #expect(trace.children(of: second).isEmpty, "a kept connection is not set up again")
        #expect(first["airframe.connection.reused"] == false)
        #expect(second["airframe.connection.reused"] == true)
        trace.expectNesting()
    }

    @Test("spans of phases can be disabled, and a proxy is a phase")
    func phaseChoice() async throws {
        let mock = MockTransport { Route(.get, "/").reply(.text("body")) }
        let quiet = Session(mock, tracer: tracer, TracingConfiguration(recordsPhases: false))
        _ = await quiet.request("https://api.test/").serializingData().response
        #expect(try await tracer.spans().spans.count == 2)
        let proxied = Session(mock, tracer: tracer)
        _ = await proxied.request("https://other.test/") {
            $0.transportOptions.proxy = .proxy(Proxy(host: "proxy.test", port: 3128))
        }.serializingData().response
        let proxy = try #require(try await tracer.spans().named("proxy").first)
        #expect(proxy["network.peer.port"] == 3128)
        #expect(proxy["http.response.status_code"] == 200)
    }

    @Test("an attempt over HTTP/2 has the identifier of its stream (RFC 9113 §5.1.1)")
    func stream() async throws {
        let engine = ClosureTransport { request throws(TransportError) in
            let connection = TransportConnection(id: 7, httpVersion: .http2, streamID: 5)
            request.report(.connectionAcquired(connection), on: SystemClock.shared)
            return TransportResponse(head: HTTPResponse(status: .ok), body: ResponseBody(), request: request.head)
        }
        let session = Session(engine, tracer: tracer)
        _ = await session.request("http://api.test/").serializingData(emptyResponseCodes: [200]).response
        let trace = try await tracer.spans()
        #expect(trace.attempts.map { $0["airframe.connection.stream_id"] } == [5])
    }

    static let statuses: [(status: Int, type: String?)] = [
        (200, nil), (204, nil), (304, nil), (400, "400"), (401, "401"), (404, "404"), (500, "500"), (503, "503"),
    ]

    @Test("a status from 400 up is an error with error.type and without a description", arguments: statuses)
    func status(status: Int, type: String?) async throws {
        let mock = MockTransport { Route(.get, "/").reply(.status(HTTPResponse.Status(code: status))) }
        let session = Session(mock, tracer: tracer)
        _ = await session.request("http://api.test/").serializingData().response
        let attempt = try #require(try await tracer.spans().attempts.first)
        #expect(attempt["http.response.status_code"]?.toSpanAttribute() == .int64(Int64(status)))
        #expect(attempt["error.type"] == type.map { .string($0) })
        #expect(attempt.status == (type == nil ? nil : SpanStatus(code: .error)))
        #expect(attempt.errors.isEmpty)
    }

    @Test("a request that fails validation is an error itself, and its attempt one by its status")
    func validation() async throws {
        let mock = MockTransport { Route(.get, "/").reply(.status(.internalServerError)) }
        let session = Session(mock, tracer: tracer)
        _ = await session.request("http://api.test/").validate().serializingData().response
        let trace = try await tracer.spans()
        let request = try #require(trace.requests.first)
        #expect(request["error.type"] == "500")
        #expect(request.status?.code == .error)
        #expect(request.errors.count == 1)
    }

    @Test(
        "a span is named by its method if that is known, and by its template if there is one",
        arguments: [
            ("GET", nil, "GET", "GET"), ("post", nil, "POST", "POST"), ("BREW", nil, "HTTP", "_OTHER"),
            ("GET", "/users/{id}", "GET /users/{id}", "GET"), ("BREW", "/pot", "HTTP /pot", "_OTHER"),
        ] as [(String, String?, String, String)]
    )
    func names(method: String, template: String?, name: String, attribute: String) async throws {
        let mock = MockTransport { Route("/users/7").reply(.status(.noContent)) }
        let session = Session(mock, tracer: tracer, TracingConfiguration(urlTemplate: { _ in template }))
        _ = await session.request("http://api.test/users/7", method: HTTPMethod(rawValue: method))
            .serializingData(emptyResponseCodes: [204]).response
        let attempt = try #require(try await tracer.spans().attempts.first)
        #expect(attempt.operationName == name)
        #expect(attempt["http.request.method"] == .string(attribute))
        #expect(attempt["http.request.method_original"] == (attribute == "_OTHER" ? .string(method) : nil))
        #expect(attempt["url.template"] == template.map { .string($0) })
    }

    @Test("listed fields are recorded without secrets")
    func fields() async throws {
        let mock = MockTransport {
            Route(.get, "/").reply(.text("x").addingHeader(.setCookie, "id=secret").addingHeader(.vary, "a"))
        }
        let configuration = TracingConfiguration(
            recordsUserAgent: true,
            requestFields: [.authorization, .accept, .ifMatch],
            responseFields: [.setCookie, .vary]
        )
        let headers: HTTPHeaders = [.authorization(bearerToken: "secret"), .accept("a/b"), .userAgent("probe/1")]
        let session = Session(mock, tracer: tracer, configuration)
        _ = await session.request("http://api.test/", headers: headers).serializingData().response
        let attempt = try #require(try await tracer.spans().attempts.first)
        #expect(attempt["user_agent.original"] == "probe/1")
        #expect(attempt["http.request.header.accept"] == .stringArray(["a/b"]))
        #expect(attempt["http.request.header.if-match"] == nil)
        #expect(attempt["http.response.header.vary"] == .stringArray(["a"]))
        for name in ["http.request.header.authorization", "http.response.header.set-cookie"] {
            guard case .stringArray(let values) = attempt[name] else {
                Issue.record("\(name) is not recorded")
                continue
            }
            #expect(values.count == 1 && !values[0].contains("secret"))
        }
    }
}
