import AirframeConformance
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

import class AirframeTestSupport.EventLog

@testable import AirframeCurl

@Suite("Negotiate and NTLM", .needsPeers, .timeLimit(.minutes(1)))
struct ConnectionAuthenticationTests {
    /// The server's response to a request that it accepted.
    struct Account: Decodable, Equatable {
        var user: String
        var connection: Int
        var rounds: Int
        var answered: Int
        var method: String
        var path: String
        var body: String
        var sent: String
    }

    let transport = CurlTransport()

    private func request(
        _ path: String,
        _ method: HTTPRequest.Method = .get,
        host: String = "localhost",
        password: String = "Password",
        body: RequestBody = .none
    ) throws -> TransportRequest {
        var request = TransportRequest(method, try Peers.url(.connectionAuth, path, host: host), body: body)
        let origin = try #require(Origin(request.head))
        request.options.proxy = ProxyPolicy.none
        request.options.connectionAuthentication =
            path.hasPrefix("/negotiate")
            ? .negotiate(for: origin)
            : .ntlm(user: "User", password: password, domain: "Domain", for: origin)
        return request
    }

    private func account(of request: TransportRequest, on other: CurlTransport? = nil) async throws -> Account {
        let (response, body) = try await (other ?? transport).fetch(request)
        try #require(response.head.status == .ok)
        return try JSONDecoder().decode(Account.self, from: body)
    }

    @Test("NTLM proves the password on one connection, which later requests of the same user share (MS-NLMP §3.1.5.1)")
    func ntlm() async throws {
        let log = EventLog()
        let first = try await account(of: try request("/ntlm/a").with { $0.events = log })
        #expect(first.user == "Domain\\User")
        #expect(first.rounds == 2)
        #expect(log.names.filter { $0 == "responseHead" }.count == 1)
        #expect(log.endCount == 1)
        let second = try await account(of: try request("/ntlm/b"))
        #expect(second.connection == first.connection)
        #expect(second.rounds == 3)
        #expect(second.sent == "")
    }

    @Test("the handshake is reported as an answered challenge")
    func decisions() async throws {
        let log = EventLog()
        _ = try await account(of: try request("/ntlm/a").with { $0.events = log })
        let schemes = log.decisions.compactMap { decision in
            if case .answeredChallenge(let scheme, _) = decision.kind { scheme } else { nil }
        }
        #expect(schemes == ["NTLM"])
    }

    @Test("a request without the credential never uses an authenticated connection", arguments: ["ntlm", "negotiate"])
    func separation(scheme: String) async throws {
        _ = try await account(of: try request("/\(scheme)/a"))
        let plain = try request("/\(scheme)/a").with { $0.options.connectionAuthentication = nil }
        let (response, _) = try await transport.fetch(plain)
        #expect(response.head.status == .unauthorized)
        let other = try request("/ntlm/a", password: "another")
        #expect(try await transport.fetch(other).response.head.status == .unauthorized)
    }

    @Test("a wrong password leaves the server's 401 and its content as the response")
    func wrongPassword() async throws {
        let log = EventLog()
        let (response, body) = try await transport.fetch(
            try request("/ntlm/a", password: "wrong").with { $0.events = log })
        #expect(response.head.status == .unauthorized)
        #expect(String(decoding: body, as: UTF8.self) == "not this user")
        #expect(log.names.filter { $0 == "responseHead" }.count == 1)
        let isRefused = log.decisions.contains { if case .refusedChallenge = $0.kind { true } else { false } }
        #expect(isRefused)
    }

    @Test(
        "content is sent once the handshake is over, of known length and in chunks", arguments: [nil, 11] as [Int64?])
    func content(length: Int64?) async throws {
        let body = RequestBody.restartable(length: length) { ChunkSource(["hello ", "world"]) }
        for scheme in ["ntlm", "negotiate"] {
            let account = try await account(of: try request("/\(scheme)/a", .post, body: body))
            #expect(account.body == "hello world")
            #expect(account.method == "POST")
        }
        let small = try await account(of: try request("/ntlm/a", .put, body: .bytes(Data("small".utf8))))
        #expect(small.body == "small")
    }

    @Test("a connection that the server closes with its first 401 is replaced")
    func restart() async throws {
        let account = try await account(of: try request("/restart/a"))
        #expect(account.user == "Domain\\User")
    }

    @Test("a server that repeats its challenge fails the request")
    func endless() async throws {
        let failure = await transport.failure(of: try request("/endless/a"))
        #expect(failure?.code == .authenticationFailed)
        #expect(failure?.message == "the NTLM handshake did not end within 6 rounds")
        #expect(failure?.processing == .notProcessed)
    }

    @Test("Negotiate shows the process's Kerberos ticket with the first request (RFC 4559)")
    func negotiate() async throws {
        let account = try await account(of: try request("/negotiate/a"))
        #expect(account.user == "airframe@AIRFRAME.TEST")
        #expect(account.rounds == 1)
    }

    @Test("a service that the realm does not know fails with GSS-API's reason")
    func unknownService() async throws {
        let failure = await transport.failure(of: try request("/negotiate/a", host: "127.0.0.1"))
        let error = try #require(failure)
        #expect(error.code == .authenticationFailed)
        #expect(error.processing == .notProcessed)
        #expect(error.libraryMessage?.contains("HTTP/127.0.0.1@AIRFRAME.TEST not found") == true, "\(error)")
    }

    @Test("the path is sent as it is in each round")
    func path() async throws {
        let account = try await account(of: try request("/ntlm/../a/./b?c=%2e/../d"))
        #expect(account.path == "/ntlm/../a/./b?c=%2e/../d")
    }

    @Test("a request for another origin is sent without the credential")
    func otherOrigin() async throws {
        var other = TransportRequest(.get, try Peers.url(.connectionAuth, "/ntlm/a", host: "127.0.0.1"))
        other.options.connectionAuthentication = try request("/ntlm/a").options.connectionAuthentication
        #expect(try await transport.fetch(other).response.head.status == .unauthorized)
    }

    @Test("the handshake passes a proxy that tunnels, and is refused over one that forwards")
    func proxy() async throws {
        var proxy = Proxy(kind: .http, host: "127.0.0.1", port: try Peers.port(.squidHTTP))
        let forwarded = try request("/ntlm/a").with { $0.options.proxy = .proxy(proxy) }
        let failure = await transport.failure(of: forwarded)
        #expect(failure?.code == .unsupportedOption)
        #expect(failure?.message.contains("tunnelsAlways") == true)
        proxy.tunnelsAlways = true
        let account = try await account(of: try request("/ntlm/a").with { $0.options.proxy = .proxy(proxy) })
        #expect(account.user == "Domain\\User")
    }

    @Test("HTTP/2 is refused, because both schemes authenticate a connection of HTTP/1.1")
    func http2() async throws {
        let request = try request("/ntlm/a").with { $0.options.httpVersion = .http2PriorKnowledge }
        let failure = await transport.failure(of: request)
        #expect(failure?.code == .unsupportedOption)
        #expect(failure?.processing == .notSent)
    }

    @Test("an Authorization field in addition to the credential is refused")
    func authorization() async throws {
        let request = try request("/ntlm/a").with { $0.head.headerFields[.authorization] = "Bearer t" }
        let failure = await transport.failure(of: request)
        #expect(failure?.code == .invalidRequest)
    }

    @Test("no description or dump shows the password")
    func redaction() throws {
        let request = try request("/ntlm/a", password: "open sesame")
        var text = String(describing: request.options) + String(reflecting: request.options.connectionAuthentication)
        dump(request.options, to: &text)
        dump(request.options.connectionAuthentication, to: &text)
        #expect(!text.contains("open sesame"))
        #expect(text.contains("Domain\\User"))
    }
}
