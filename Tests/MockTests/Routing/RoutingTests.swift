import AirframeMock
import AirframeTestSupport
import AirframeTransport
import FoundationEssentials
import HTTPTypes
import Testing

@Suite("Routes", .timeLimit(.minutes(1)))
struct RoutingTests {
    struct PathCase: Sendable, CustomTestStringConvertible {
        let pattern: String
        let path: String
        let captures: [String: String]?
        var wildcards: [String] = []
        var testDescription: String { "\(pattern) and \(path)" }
    }

    static let paths = [
        PathCase(pattern: "/users", path: "/users", captures: [:]),
        PathCase(pattern: "users", path: "/users", captures: [:]),
        PathCase(pattern: "/users", path: "/users/", captures: nil),
        PathCase(pattern: "/users", path: "/Users", captures: nil),
        PathCase(pattern: "/", path: "/", captures: [:]),
        PathCase(pattern: "/users/:id", path: "/users/7", captures: ["id": "7"]),
        PathCase(pattern: "/users/:id", path: "/users", captures: nil),
        PathCase(pattern: "/users/:id", path: "/users/7/posts", captures: nil),
        PathCase(pattern: "/:a/:b", path: "/x/y%20z", captures: ["a": "x", "b": "y z"]),
        PathCase(pattern: "/:a", path: "/a%2Fb", captures: ["a": "a/b"]),
        PathCase(pattern: "/:a", path: "/100%", captures: ["a": "100%"]),
        PathCase(pattern: "/é", path: "/%C3%A9", captures: [:]),
        PathCase(pattern: "/*/posts", path: "/7/posts", captures: [:], wildcards: ["7"]),
        PathCase(pattern: "/files/**", path: "/files/a/b/c", captures: [:], wildcards: ["a/b/c"]),
        PathCase(pattern: "/files/**", path: "/files", captures: [:], wildcards: [""]),
        PathCase(pattern: "/**/end", path: "/a/b/end", captures: [:], wildcards: ["a/b"]),
        PathCase(pattern: "/**/:last", path: "/a/b/c", captures: ["last": "c"], wildcards: ["a/b"]),
        PathCase(pattern: "/**/end", path: "/a/b/en", captures: nil),
        PathCase(pattern: "**", path: "/anything/at/all", captures: [:], wildcards: ["anything/at/all"]),
        PathCase(pattern: "/users", path: "/users?page=2", captures: [:]),
        PathCase(pattern: "/users?page=2", path: "/users?size=5&page=2", captures: [:]),
        PathCase(pattern: "/users?page=2", path: "/users?page=3", captures: nil),
        PathCase(pattern: "http://api.test/users", path: "/users", captures: [:]),
        PathCase(pattern: "http://*.test/users", path: "/users", captures: [:]),
        PathCase(pattern: "http://api.test:80/users", path: "/users", captures: [:]),
        PathCase(pattern: "http://api.test:81/users", path: "/users", captures: nil),
        PathCase(pattern: "http://other.test/users", path: "/users", captures: nil),
        PathCase(pattern: "https://api.test/users", path: "/users", captures: nil),
        PathCase(pattern: "http://api.test?q=%41", path: "/?q=A", captures: [:]),
    ]

    @Test("A path pattern matches, and captures the values of its placeholders", arguments: paths)
    func path(test: PathCase) async throws {
        let mock = MockTransport { Route(test.pattern) }
        guard let captures = test.captures else {
            #expect(await mock.failure(of: .get(test.path))?.code == .unmatchedRequest)
            return
        }
        #expect(try await mock.status(.get(test.path)) == 200)
        let request = try #require(mock.lastRequest)
        for (name, value) in captures { #expect(request.captures[name] == value) }
        for (index, value) in test.wildcards.enumerated() { #expect(request.captures[index] == value) }
        #expect(request.captures["none"] == nil)
        #expect(request.captures[test.wildcards.count] == nil)
    }

    struct ConditionCase: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let route: Route
        let matching: [TransportRequest]
        let others: [TransportRequest]
        /// A line of the difference, without its padding.
        let line: String
    }

    private struct Login: Encodable {
        let name = "ada"
        let age = 36
    }

    static let conditions = [
        ConditionCase(
            testDescription: "method",
            route: Route(.post, "/x"),
            matching: [.post("/x", .none)],
            others: [.get("/x")],
            line: "method expected POST got GET"
        ),
        ConditionCase(
            testDescription: "host",
            route: Route(.get, "/x").when(host: "*.api.test"),
            matching: [.get("http://eu.api.test/x"), .get("http://EU.api.test:8080/x")],
            others: [.get("http://api.test/x"), .get("http://xapi.test/x")],
            line: "host expected *.api.test got api.test"
        ),
        ConditionCase(
            testDescription: "query item",
            route: Route(.get, "/x").when(query: "name", is: "a b&c"),
            matching: [.get("/x?name=a%20b%26c"), .get("/x?name=1&name=a%20b%26c&y")],
            others: [.get("/x?name=a"), .get("/x")],
            line: "query expected name=a b&c got name=a"
        ),
        ConditionCase(
            testDescription: "exact query",
            route: Route(.get, "/x").when(exactQuery: ["a": "1", "b": "2"]),
            matching: [.get("/x?b=2&a=1")],
            others: [.get("/x?a=1&b=2&c=3"), .get("/x")],
            line: "query expected a=1&b=2 got a=1&b=2&c=3"
        ),
        ConditionCase(
            testDescription: "header",
            route: Route(.get, "/x").when(header: .accept, is: "text/html"),
            matching: [.get("/x", [.accept: "text/html"])],
            others: [.get("/x", [.accept: "*/*"]), .get("/x")],
            line: "header expected Accept: text/html got Accept: */*"
        ),
        ConditionCase(
            testDescription: "header that is a secret",
            route: Route(.get, "/x").when(header: .authorization, is: "Bearer right"),
            matching: [.get("/x", [.authorization: "Bearer right"])],
            others: [.get("/x", [.authorization: "Bearer wrong"]), .get("/x")],
            line: "header expected Authorization: Bearer ••• got Authorization: Bearer •••"
        ),
        ConditionCase(
            testDescription: "any header of the name",
            route: Route(.get, "/x").when(header: .cookie),
            matching: [.get("/x", [.cookie: "a=b"])],
            others: [.get("/x")],
            line: "header expected Cookie, any value got none"
        ),
        ConditionCase(
            testDescription: "header by predicate",
            route: Route(.get, "/x").when(header: .userAgent, matches: { $0.hasPrefix("Airframe/") }),
            matching: [.get("/x", [.userAgent: "Airframe/1"])],
            others: [.get("/x", [.userAgent: "other"])],
            line: "header expected User-Agent that satisfies the predicate got User-Agent: other"
        ),
        ConditionCase(
            testDescription: "no header",
            route: Route(.get, "/x").when(noHeader: .cookie),
            matching: [.get("/x")],
            others: [.get("/x", [.cookie: "a=b"])],
            line: "header expected no Cookie got Cookie: •••"
        ),
        ConditionCase(
            testDescription: "body text",
            route: Route(.post, "/x").when(body: "hello"),
            matching: [.post("/x", .bytes(Data("hello".utf8)))],
            others: [.post("/x", .bytes(Data("hallo".utf8))), .post("/x", .none)],
            line: "body expected hello got hallo"
        ),
        ConditionCase(
            testDescription: "body as JSON",
            route: Route(.post, "/x").when(json: ["a": 1, "b": [true, nil, "x"]]),
            matching: [.post("/x", .bytes(Data(#"{ "b":[true,null,"x"], "a":1.0 }"#.utf8)))],
            others: [.post("/x", .bytes(Data(#"{"a":2}"#.utf8))), .post("/x", .bytes(Data("{".utf8)))],
            line: #"body expected {"a":1,"b":[true,null,"x"]} got {"a":2}"#
        ),
        ConditionCase(
            testDescription: "body as an encodable value",
            route: Route(.post, "/x").when(json: Login()),
            matching: [.post("/x", .bytes(Data(#"{"age":36,"name":"ada"}"#.utf8)))],
            others: [.post("/x", .bytes(Data(#"{"age":37,"name":"ada"}"#.utf8)))],
            line: #"body expected {"age":36,"name":"ada"} got {"age":37,"name":"ada"}"#
        ),
        ConditionCase(
            testDescription: "body by predicate",
            route: Route(.post, "/x").when(body: "five bytes", matches: { $0.count == 5 }),
            matching: [.post("/x", .bytes(Data("12345".utf8)))],
            others: [.post("/x", .bytes(Data([0xFF, 0xFE])))],
            line: "body expected five bytes got 2 bytes that are not text"
        ),
        ConditionCase(
            testDescription: "predicate",
            route: Route(.post, "/x").when("a path as long as its body") { $0.path.count == $0.body.count },
            matching: [.post("/x", .bytes(Data("ab".utf8)))],
            others: [.post("/x", .bytes(Data("abc".utf8)))],
            line: "condition expected a path as long as its body got one that does not"
        ),
    ]

    @Test(
        "A route answers the requests that meet its condition; the error of the others names the difference",
        arguments: conditions)
    func condition(test: ConditionCase) async throws {
        let mock = MockTransport { test.route }
        for request in test.matching { #expect(try await mock.status(request) == 200) }
        for request in test.others { #expect(await mock.failure(of: request)?.code == .unmatchedRequest) }
        #expect(mock.hitCount(of: test.route) == test.matching.count)
        let report = try #require(mock.unmatchedReports.first)
        let lines = report.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
        #expect(lines.contains(test.line), "\(report)")
        #expect(!report.contains("wrong") && !report.contains("right"))
    }

    @Test("The difference is that from the nearest route, line by line, and nothing was sent")
    func difference() async throws {
        let mock = MockTransport {
            Route(.get, "/posts")
            Route(.post, "/users/:id/posts").when(query: "draft", is: "true").when(header: .accept, is: "text/html")
            Route(.delete, "https://other.test/elsewhere")
        }
        let log = EventLog()
        let request = TransportRequest.get("http://user:secret@api.test/users/7/posts?draft=false", events: log)
        let error = await mock.failure(of: request)
        #expect(
            error?.message == """
                GET http://user:•••@api.test/users/7/posts?draft=false matches no route. Nearest of 3: POST /users/:id/posts
                  method    expected POST                             got GET
                  query     expected draft=true                       got draft=false
                  header    expected Accept: text/html                got none
                """
        )
        #expect(error?.phase == .options)
        #expect(error?.processing == .notSent)
        #expect(log.names == ["started", "failed"])
        #expect(
            await MockTransport().failure(of: .get("/"))?.message
                == "GET http://api.test/ matches no route: the mock has none")
    }

    @Test("The lines of a difference show no secret of the request's URL")
    func secrets() async throws {
        let routes = [
            Route("https://other.test/a").when(exactQuery: ["page": "2"]),
            Route("/a").when(host: "*.other.test").when(query: "token", is: "expected-abc"),
        ]
        for route in routes {
            let mock = MockTransport { route }
            let message = await mock.failure(of: .get("https://user:pass-abc@api.test/a?token=abc&page=1"))?.message
            let report = try #require(message)
            #expect(!report.contains("abc"), "\(report)")
            #expect(!report.contains("got user"), "\(report)")
        }
        let mock = MockTransport { Route("/a").when(exactQuery: ["page": "2"]) }
        let message = await mock.failure(of: .get("/a?token=abc&page=1"))?.message
        #expect(message?.hasSuffix("got page=1&token=•••") == true, "\(message ?? "no error")")
        let nested = await mock.failure(of: .get("/a?state=token%3Dabc&to=acct%3Abob%40h&x%3Bcode=4711"))?.message
        #expect(
            nested?.hasSuffix("got state=•••&to=acct:bob@h&x;code=•••") == true, "\(nested ?? "no error")")
    }

    @Test("The first route that matches answers; one that is added later is tried first")
    func order() async throws {
        let mock = MockTransport {
            Route(.get, "/users/me").reply(.text("me"))
            Route(.get, "/users/:id").reply(.text("by id"))
            Route("**").reply(.text("anything"))
        }
        #expect(try await mock.text("/users/me") == "me")
        #expect(try await mock.text("/users/7") == "by id")
        #expect(try await mock.text("/else") == "anything")
        mock.on(.get, "/users/7", reply: .text("added"))
        mock.on("/users/8") { .text("added \($0.method)") }
        mock.on(.get, "/users/9") { .text("added \($0.captures["id"] ?? "none")") }
        #expect(try await mock.text("/users/7") == "added")
        #expect(try await mock.text("/users/8") == "added GET")
        #expect(try await mock.text("/users/9") == "added none")
        #expect(mock.routes.count == 6)
    }

    @Test("What no route expects can be answered instead")
    func unmatchedReply() async throws {
        var configuration = MockTransport.Configuration()
        configuration.unmatched = .reply(.status(404))
        let mock = MockTransport(configuration: configuration)
        #expect(try await mock.status(.get("/nowhere")) == 404)
        #expect(mock.unmatchedReports.count == 1)
    }

    @Test("Routes can be made in loops and branches")
    func builder() async throws {
        let isAdmin = true
        let mock = MockTransport {
            for name in ["a", "b"] { Route(.get, "/\(name)").reply(.text(name)) }
            if isAdmin { Route(.get, "/admin") }
            if !isAdmin { Route(.get, "/guest") } else { [Route(.get, "/c"), Route(.get, "/d")] }
        }
        #expect(mock.routes.map(\.name) == ["GET /a", "GET /b", "GET /admin", "GET /c", "GET /d"])
        #expect(try await mock.text("/b") == "b")
    }
}
