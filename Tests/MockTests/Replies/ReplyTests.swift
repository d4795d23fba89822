import AirframeMock
import AirframeTestSupport
import AirframeTransport
import FoundationEssentials
import HTTPTypes
import Testing

@Suite("Replies", .timeLimit(.minutes(1)))
struct ReplyTests {
    struct User: Codable, Equatable {
        var id: String?
        var name = "Ada"
    }

    struct ContentCase: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let reply: Reply
        var status = 200
        let text: String
        let type: String?
        let length: String?
    }

    static let contents = [
        ContentCase(testDescription: "status", reply: .status(204), status: 204, text: "", type: nil, length: nil),
        ContentCase(testDescription: "empty", reply: .status(200), text: "", type: nil, length: "0"),
        ContentCase(
            testDescription: "text", reply: .text("é"), text: "é", type: "text/plain; charset=utf-8", length: "2"
        ),
        ContentCase(
            testDescription: "JSON of an encodable value, in a stable order",
            reply: .json(User(id: "7")),
            text: #"{"id":"7","name":"Ada"}"#,
            type: "application/json",
            length: "23"
        ),
        ContentCase(
            testDescription: "JSON literal of one type",
            reply: .json(["ok": true]),
            text: #"{"ok":true}"#,
            type: "application/json",
            length: "11"
        ),
        ContentCase(
            testDescription: "JSON literal of mixed types",
            reply: .json(["id": 7, "tags": ["a", nil, 1.5], "path": "a/b"], status: 201),
            status: 201,
            text: #"{"id":7,"path":"a/b","tags":["a",null,1.5]}"#,
            type: "application/json",
            length: "43"
        ),
        ContentCase(
            testDescription: "chunks",
            reply: .chunks(["a", "", "bc"].map { Data($0.utf8) }, contentType: "x/y"),
            text: "abc",
            type: "x/y",
            length: nil
        ),
        ContentCase(
            testDescription: "a stream",
            reply: .stream(contentType: nil) {
                AsyncStream { continuation in
                    for text in ["one ", "two"] { continuation.yield(Data(text.utf8)) }
                    continuation.finish()
                }
            },
            text: "one two",
            type: nil,
            length: nil
        ),
        ContentCase(
            testDescription: "chunked",
            reply: .text("abc").chunked(),
            text: "abc",
            type: "text/plain; charset=utf-8",
            length: nil
        ),
        ContentCase(
            testDescription: "redirect", reply: .redirect(to: "/new"), status: 302, text: "", type: nil, length: "0"
        ),
        ContentCase(
            testDescription: "changed",
            reply: .text("abc").status(418).header(.contentType, "a/b").addingHeader(.setCookie, "a=b"),
            status: 418,
            text: "abc",
            type: "a/b",
            length: "3"
        ),
    ]

    @Test("A reply has its status, fields and bytes", arguments: contents)
    func content(test: ContentCase) async throws {
        let mock = MockTransport { Route("/").reply(test.reply) }
        let (head, data) = try await mock.fetch(.get("/"))
        #expect(head.status.code == test.status)
        #expect(String(decoding: data, as: UTF8.self) == test.text)
        #expect(head.headerFields[.contentType] == test.type)
        #expect(head.headerFields[.contentLength] == test.length)
    }

    @Test("HEAD gets the head of GET without a body")
    func head() async throws {
        let mock = MockTransport { Route("/").reply(.text("abc")) }
        let response = try await mock.send(.request(.head, "/"))
        #expect(response.head.headerFields[.contentLength] == "3")
        #expect(try await response.body.next() == nil)
    }

    @Test("A closure sees the request with captures, query and body, and may decode it")
    func closure() async throws {
        let mock = MockTransport {
            Route(.put, "/users/:id") { request in
                var user = try request.decoded(as: User.self)
                user.id = request.captures["id"]
                let version = request.query("v") ?? "none"
                return .json(user).header(.eTag, "\(version)-\(request.hit)-\(request.text.count)")
            }
        }
        let (head, data) = try await mock.fetch(
            .request(.put, "/users/7?v=2", body: .bytes(Data(#"{"name":"Grace"}"#.utf8)))
        )
        #expect(try JSONDecoder().decode(User.self, from: data) == User(id: "7", name: "Grace"))
        #expect(head.headerFields[.eTag] == "2-1-16")
    }

    @Test("A closure that sleeps on the clock answers later and takes no real time")
    func asynchronousClosure() async throws {
        let mock = MockTransport()
        mock.on(.get, "/") { [clock = mock.clock] _ in
            try await clock.sleep(for: .seconds(100))
            return .text("x").delayed(by: .seconds(20))
        }
        #expect(try await mock.text("/") == "x")
        #expect(mock.virtualClock.elapsed == .seconds(120))
    }

    private struct Broken: Error {}

    @Test("The error of a closure fails the exchange with the route's name")
    func throwingClosure() async throws {
        let own = TransportError(.poolExhausted, phase: .pool, processing: .notSent, message: "own")
        let mock = MockTransport {
            Route(.get, "/broken") { _ in throw Broken() }
            Route(.get, "/own") { _ in throw own }
            Route(.get, "/late") { _ in .fault(.connectionRefused) }
        }
        let broken = await mock.failure(of: .get("/broken"))
        #expect(broken?.code == .engineFailure)
        #expect(broken?.underlying is Broken)
        #expect(broken?.message.contains("GET /broken") == true)
        #expect(await mock.failure(of: .get("/own"))?.message == "own")
        let late = await mock.failure(of: .get("/late"))
        #expect(late?.code == .connectFailed)
        #expect(late?.processing == .notSent)
    }

    @Test("A closure may send requests to the same mock")
    func nestedRequest() async throws {
        let mock = MockTransport { Route(.get, "/back").reply(.text("deep").delayed(by: .seconds(5))) }
        mock.on(.get, "/front") { [weak mock] _ in .text("from \(try await mock?.text("/back") ?? "nowhere")") }
        #expect(try await mock.text("/front") == "from deep")
        #expect(mock.virtualClock.elapsed == .seconds(5))
    }

    @Test("A file is read when it is sent, with the media type of its extension")
    func file() async throws {
        let path = FileManager.default.temporaryDirectory.appending(
            path: "airframe-mock-\(UInt64.random(in: 0 ... .max)).json")
        try Data(#"{"from":"file"}"#.utf8).write(to: path)
        defer { try? FileManager.default.removeItem(at: path) }
        let mock = MockTransport {
            Route(.get, "/file").reply(.file(path.path))
            Route(.get, "/none").reply(.file("/nowhere/at/all"))
        }
        let (head, data) = try await mock.fetch(.get("/file"))
        #expect(JSONValue(parsing: data)?["from"] == "file")
        #expect(head.headerFields[.contentType] == "application/json")
        #expect(head.headerFields[.contentLength] == "15")
        let error = await mock.failure(of: .get("/none"))
        #expect(error?.code == .engineFailure)
        #expect(error?.message.contains("/nowhere/at/all") == true)
    }

    private struct Unencodable: Encodable {
        func encode(to encoder: any Encoder) throws { throw Broken() }
    }

    @Test("A value that cannot be encoded fails the exchange, not the set-up of the test")
    func unencodable() async throws {
        let mock = MockTransport { Route(.get, "/").reply(.json(Unencodable())) }
        #expect(await mock.failure(of: .get("/"))?.message == "Unencodable cannot be encoded as JSON")
    }

    @Test("A stream is pulled only when the caller asks, and its error breaks the connection")
    func stream() async throws {
        let pulls = Log<Int>()
        let mock = MockTransport {
            Route(.get, "/").reply(
                .stream {
                    AsyncThrowingStream<Data, any Error>(unfolding: {
                        pulls.append(pulls.values.count)
                        if pulls.values.count == 3 { throw Broken() }
                        return Data("x".utf8)
                    })
                }
            )
        }
        let response = try await mock.send(.get("/"))
        #expect(pulls.values.isEmpty)
        _ = try await response.body.next()
        #expect(pulls.values.count == 1)
        _ = try await response.body.next()
        #expect(pulls.values.count == 2)
        let error = await #expect(throws: TransportError.self) { try await response.body.next() }
        #expect(error?.code == .connectionLost)
        #expect(error?.underlying is Broken)
    }

    struct LengthCase: Sendable, CustomTestStringConvertible {
        let announced: Int64
        let version: HTTPVersion
        let expected: Expectation
        var testDescription: String { "\(announced) announced, 5 sent, \(version.rawValue)" }

        enum Expectation: Sendable, Equatable {
            case text(String, isKept: Bool)
            case error(TransportError.Code)
        }
    }

    static let lengths = [
        LengthCase(announced: 5, version: .http1_1, expected: .text("12345", isKept: true)),
        LengthCase(announced: 9, version: .http1_1, expected: .error(.bodyTruncated)),
        LengthCase(announced: 9, version: .http2, expected: .error(.bodyTruncated)),
        LengthCase(announced: 3, version: .http1_1, expected: .text("123", isKept: false)),
        LengthCase(announced: 3, version: .http2, expected: .error(.malformedResponse)),
        LengthCase(announced: 0, version: .http1_1, expected: .text("", isKept: false)),
    ]

    @Test("A body with a wrong announced length ends as on a real connection", arguments: lengths)
    func length(test: LengthCase) async throws {
        var configuration = MockTransport.Configuration()
        configuration.httpVersion = test.version
        let mock = MockTransport(configuration: configuration) {
            Route(.get, "/").reply(.text("12345").announcing(length: test.announced))
        }
        do throws(TransportError) {
            let response = try await mock.send(.get("/"))
            #expect(response.body.expectedLength == test.announced)
            let data = try await response.body.collect(upTo: 100)
            #expect(
                test.expected == .text(String(decoding: data, as: UTF8.self), isKept: !mock.idleConnectionIDs.isEmpty))
        } catch {
            #expect(test.expected == .error(error.code))
            #expect(error.phase == .responseBody)
        }
    }

    @Test(
        "Informational responses and trailers are reported, except by a mock without the feature",
        arguments: [true, false])
    func informational(isAble: Bool) async throws {
        var configuration = MockTransport.Configuration()
        if !isAble { configuration.features.subtract([.informationalResponses, .responseTrailers]) }
        let mock = MockTransport(configuration: configuration) {
            Route(.get, "/").reply(
                .text("x").informational(.earlyHints, headers: [.init("Link")!: "</a>"]).trailers([.eTag: "z"]))
        }
        let log = EventLog()
        let response = try await mock.send(.get("/", events: log))
        _ = try await response.body.collect(upTo: 10)
        #expect(response.body.trailers == (isAble ? [.eTag: "z"] : nil))
        #expect(log.names.contains("informationalResponse") == isAble)
        #expect(log.names.contains("trailers") == isAble)
        #expect(response.head.headerFields[.contentLength] == nil)
    }
}
