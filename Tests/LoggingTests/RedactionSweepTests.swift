import AirframeAuthentication
import AirframeConformance
import AirframeCore
import AirframeMock
import AirframeSerialization
import AirframeSocket
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@Suite("Secrets are redacted everywhere", .timeLimit(.minutes(1)))
struct RedactionSweepTests {
    /// A place that HTTP has for secrets.
    struct Place: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Whether a body has text without names, which archives keep.
        var hasPlainText = false
        let make: @Sendable (Session, _ origin: String) -> DataRequest
    }

    private static func place(
        _ name: String,
        _ make: @escaping @Sendable (Session, String) -> DataRequest
    ) -> Place {
        Place(testDescription: name, make: make)
    }

    private static var secret: String { Sweep.secret }

    private static let form = "application/x-www-form-urlencoded"

    private static let places = [
        place("header fields") { session, origin in
            let names = [
                "Authorization", "Proxy-Authorization", "Cookie", "X-Api-Key", "X-Auth-Token", "X-CSRF-Token",
                "X-Amz-Security-Token",
            ]
            return session.request(
                "\(origin)/ok", headers: HTTPHeaders(names.map { .init(name: $0, value: "\(secret)") }))
        },
        place("a bearer token") { session, origin in
            session.request("\(origin)/ok", headers: [.authorization(bearerToken: "\(secret)")])
        },
        place("the Basic scheme") { session, origin in
            session.request("\(origin)/ok", headers: [.authorization(username: "pilot", password: "\(secret)")])
        },
        place("a field with a URL") { session, origin in
            session.request("\(origin)/ok", headers: ["Referer": "https://u:\(secret)@h/?token=\(secret)"])
        },
        place("the user information of a URL") { session, origin in
            session.request(origin.replacing("://", with: "://pilot:\(secret)@") + "/ok")
        },
        place("a query") { session, origin in
            session.request("\(origin)/ok?access_token=\(secret)&X-Amz-Signature=\(secret)&to=%2F%3Ftoken%3D\(secret)")
        },
        place("a fragment") { session, origin in session.request("\(origin)/ok#access_token=\(secret)") },
        place("a path's parameter") { session, origin in session.request("\(origin)/ok;jsessionid=\(secret)") },
        place("a form that is sent") { session, origin in
            session.request("\(origin)/ok", method: .post, headers: [.contentType(form)]) {
                $0.httpBody = Data("user=pilot&password=\(secret)".utf8)
            }
        },
        place("JSON that is uploaded") { session, origin in
            session.upload(
                Data(#"{"password":"\#(secret)"}"#.utf8),
                to: "\(origin)/ok",
                headers: [.contentType("application/json")]
            )
        },
        place("a response's fields") { session, origin in session.request("\(origin)/secrets") },
        place("a response's JSON") { session, origin in session.request("\(origin)/token") },
        place("a response's form") { session, origin in session.request("\(origin)/form") },
        place("a redirect") { session, origin in session.request("\(origin)/redirect") },
        place("a redirect that is not followed") { session, origin in
            session.request("\(origin)/redirect").redirect(using: .doNotFollow)
        },
        place("a redirect that leads nowhere") { session, origin in session.request("\(origin)/nowhere") },
        place("a challenge of the Basic scheme") { session, origin in
            session.request("\(origin)/basic").authenticate(username: "pilot", password: "\(secret)")
        },
        place("a challenge of the Digest scheme") { session, origin in
            session.request("\(origin)/digest").authenticate(username: "pilot", password: "\(secret)")
        },
        place("a challenge that is not answered") { session, origin in
            session.request("\(origin)/basic?token=\(secret)")
        },
        place("a request that is retried") { session, origin in
            session.request("\(origin)/flaky?token=\(secret)", headers: ["Authorization": "\(secret)"]).validate()
        },
        place("a response that validation refuses") { session, origin in
            session.request("\(origin)/missing?token=\(secret)").validate()
        },
        place("a validation that throws with the URL") { session, origin in
            session.request("\(origin)/ok?token=\(secret)").validate(contentType: ["image/png"])
        },
        place("a connection that breaks") { session, origin in
            session.request("\(origin)/broken?token=\(secret)", headers: ["Cookie": "\(secret)"])
        },
        place("a host that does not answer") { session, _ in
            session.request("http://pilot:\(secret)@127.0.0.1:1/?token=\(secret)")
        },
        place("a URL that is none") { session, _ in session.request("http://pilot:\(secret)@[/?token=\(secret)") },
        place("a scheme that nobody speaks") { session, _ in
            session.request("gopher://pilot:\(secret)@h/?token=\(secret)")
        },
        place("a field that HTTP does not allow") { session, origin in
            session.request("\(origin)/ok?token=\(secret)", headers: ["Authorization": "\(secret)\u{1}"])
        },
        place("a GET with a form") { session, origin in
            session.request("\(origin)/ok?token=\(secret)", headers: [.contentType(form)]) {
                $0.httpBody = Data("password=\(secret)".utf8)
            }
        },
        place("an adapter that fails") { session, origin in
            session.request("\(origin)/ok?token=\(secret)", headers: ["Authorization": "\(secret)"])
                .adapt(using: Adapter { _, _, completion in completion(.failure(CancellationError())) })
        },
        place("an option that the engine lacks") { session, origin in
            session.request("\(origin)/ok?token=\(secret)") {
                $0.transportOptions.proxy = .proxy(
                    Proxy(
                        kind: .socks5,
                        host: "127.0.0.1",
                        port: 1,
                        credential: Proxy.Credential(username: "pilot", password: "\(secret)")
                    )
                )
            }
        },
        place("a proxy's credential") { session, origin in
            session.request("\(origin)/ok") {
                $0.transportOptions.proxy = .proxy(
                    Proxy(
                        host: "127.0.0.1",
                        port: 1,
                        credential: Proxy.Credential(username: "pilot", password: "\(secret)")
                    )
                )
            }
        },
    ]

    private static func name(_ name: String) -> HTTPField.Name { HTTPField.Name(name) ?? .date }

    private static let again = Interceptor(
        retriers: [
            Retrier { request, _, error, completion in
                completion(error.asAFError?.responseCode == 503 && request.retryCount < 1 ? .retry : .doNotRetry)
            }
        ])

    @Test("over the mock", arguments: places + SweepPlaces.all, Secret.all)
    func mock(place: Place, secret: Secret) async {
        await Sweep.$secret.withValue(secret.text) { await mock(place) }
    }

    private func mock(_ place: Place) async {
        let secret = Sweep.secret
        let mock = MockTransport {
            Route("/ok").reply(.text("ok"))
            Route("/ok;jsessionid=\(secret)").reply(.text("ok"))
            Route("/secrets").reply(
                .text("ok").header(.setCookie, "id=\(secret)").header(.authenticationInfo, "nextnonce=\(secret)")
                    .header(.location, "https://u:\(secret)@h/").header(.contentLocation, "/?token=\(secret)"))
            Route("/token").reply(.json(["access_token": "\(secret)", "next": "http://h/?token=\(secret)"]))
            Route("/form").reply(.text("access_token=\(secret)&expires=1", contentType: Self.form))
            Route("/redirect").reply(.redirect(to: "http://u:\(secret)@api.test/ok?token=\(secret)#id_token=\(secret)"))
            Route("/nowhere").reply(.redirect(to: "gopher://u:\(secret)@h/?token=\(secret)"))
            Route("/flaky").reply(.sequence([.status(503), .text("ok")]))
            Route("/missing").reply(.status(404))
            Route("/endless").reply(.redirect(to: "http://api.test/endless?reset_token=\(secret)"))
            Route("/elsewhere").reply(.redirect(to: "http://other.test/?sas=\(secret)", status: .temporaryRedirect))
            Route("/down").reply(.redirect(to: "http://u:\(secret)@api.test/ok?auth=\(secret)"))
            Route("/xml").reply(.text("<a><api-key>\(secret)</api-key></a>", contentType: "application/xml"))
            Route("/page").reply(.text("<input name=csrf value=\(secret)>", contentType: "text/html"))
            Route("/plain").reply(.text("\(secret)", contentType: "text/plain"))
            Route("/untyped").reply(.data(Data("\(secret)".utf8)))
            Route("/bare").reply(.text("\"\(secret)\"", contentType: "application/json"))
            Route("/odd-fields").reply(
                .text("ok").header(Self.name("X-Acme-Refresh-Key"), "\(secret)")
                    .header(Self.name("X-Callback"), "https://u:\(secret)@h/?ticket=\(secret)"))
            Route("/broken").reply(.text("ok").failing(with: .reset(afterBytes: 1)))
            Route("/basic") { request in
                request.headerFields[.authorization] == nil
                    ? .status(401, headers: [.wwwAuthenticate: "Basic realm=\"r\""]) : .text("ok")
            }
            Route("/digest") { request in
                request.headerFields[.authorization] == nil
                    ? .status(401, headers: [.wwwAuthenticate: "Digest realm=\"r\", nonce=\"n\", qop=\"auth\""])
                    : .text("ok")
            }
        }
        let sweep = Sweep(over: AuthenticationLayer(mock), interceptor: Self.again)
        #expect(
            await sweep.leaks(of: place.make(sweep.session, "http://api.test"), hasPlainText: place.hasPlainText) == [])
        #expect(!sweep.logs.entries.isEmpty && !sweep.console.lines.isEmpty)
    }

    @Test("over sockets, to a server that echoes all secrets", arguments: places, Secret.all.prefix(2))
    func sockets(place: Place, secret: Secret) async throws {
        try await Sweep.$secret.withValue(secret.text) { try await sockets(place) }
    }

    private func sockets(_ place: Place) async throws {
        let server = try ScriptedServer(Self.script(Sweep.secret))
        defer { server.stop() }
        let sweep = Sweep(over: AuthenticationLayer(SocketTransport()), interceptor: Self.again)
        #expect(await sweep.leaks(of: place.make(sweep.session, server.origin)) == [])
        #expect(!sweep.logs.entries.isEmpty && !sweep.console.lines.isEmpty)
        await sweep.session.transport.shutdown()
    }

    @Test("the search finds an unredacted secret", arguments: Secret.all)
    func search(_ secret: Secret) async {
        await Sweep.$secret.withValue(secret.text) { await search() }
    }

    private func search() async {
        let secret = Sweep.secret
        let mock = MockTransport { Route("/ok").reply(.text("ok")) }
        let sweep = Sweep(over: mock)
        let leaks = await sweep.leaks(of: sweep.session.request("http://api.test/ok?harmless=\(secret)"))
        for place in [
            "log", "console", "cURL", "request", "URL request", "metrics", "notification",
            "user information", "archive", "span's attributes",
        ] {
            #expect(leaks.contains { $0.hasPrefix("\(place): ") }, "\(place)")
        }
    }

    /// The same answers as the mock's, from a socket: one request a connection.
    private static func script(_ secret: String) -> ScriptedServer.Script {
        { connection in try answer(connection, secret) }
    }

    private static func answer(_ connection: ScriptedConnection, _ secret: String) throws {
        let head = try connection.readHead()
        let lines = head.split(separator: "\r\n")
        let length = lines.first { $0.lowercased().hasPrefix("content-length:") }
            .flatMap { Int($0.drop { $0 != ":" }.dropFirst().trimmingPrefix(" ")) }
        if let length { try connection.read(length) }
        let isAuthorized = lines.contains { $0.lowercased().hasPrefix("authorization:") }
        let target = lines.first?.split(separator: " ").dropFirst().first ?? "/"
        func answer(_ status: String, _ fields: [String] = [], _ body: String = "ok") throws {
            let all = ["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)", "Connection: close"] + fields
            try connection.send(all.joined(separator: "\r\n") + "\r\n\r\n" + body)
        }
        switch target.prefix(while: { $0 != "?" && $0 != ";" }) {
        case "/secrets":
            let fields = [
                "Set-Cookie: id=\(secret)", "Authentication-Info: nextnonce=\(secret)", "Location: /?token=\(secret)",
            ]
            try answer("200 OK", fields)
        case "/token":
            try answer("200 OK", ["Content-Type: application/json"], #"{"access_token":"\#(secret)"}"#)
        case "/form": try answer("200 OK", ["Content-Type: \(form)"], "access_token=\(secret)")
        case "/redirect": try answer("302 Found", ["Location: /ok?token=\(secret)#id_token=\(secret)"])
        case "/nowhere": try answer("302 Found", ["Location: gopher://u:\(secret)@h/?token=\(secret)"])
        case "/missing": try answer("404 Not Found")
        case "/flaky": try answer("503 Service Unavailable")
        case "/broken":
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab")
            connection.reset()
        case "/basic" where !isAuthorized: try answer("401 Unauthorized", ["WWW-Authenticate: Basic realm=\"r\""])
        case "/digest" where !isAuthorized:
            try answer("401 Unauthorized", ["WWW-Authenticate: Digest realm=\"r\", nonce=\"n\", qop=\"auth\""])
        default: try answer("200 OK")
        }
    }
}
