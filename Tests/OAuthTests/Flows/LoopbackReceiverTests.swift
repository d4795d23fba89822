import AirframeOAuth
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@Suite("The receiver of redirects", .timeLimit(.minutes(1)))
struct LoopbackReceiverTests {
    private static func status(_ receiver: LoopbackReceiver, _ path: String, _ method: HTTPRequest.Method = .get) async
        -> Int?
    {
        let authority = receiver.redirectURI.split(separator: "/")[1]
        let head = HTTPRequest(method: method, scheme: "http", authority: String(authority), path: path)
        let response = try? await TestedEngine.sockets.transport.send(TransportRequest(head, options: .direct))
        return response?.head.status.code
    }

    @Test("accepts the redirect, and answers other requests with 404")
    func redirect() async throws {
        let receiver = try LoopbackReceiver()
        #expect(receiver.redirectURI.wholeMatch(of: /http:\/\/127\.0\.0\.1:\d+\/callback/) != nil)
        async let redirect = receiver.redirect()
        #expect(await Self.status(receiver, "/favicon.ico") == 404)
        #expect(await Self.status(receiver, "/callbacks?code=x") == 404)
        #expect(await Self.status(receiver, "/callback", .post) == nil, "the connection is closed")
        #expect(await Self.status(receiver, "/callback?code=a%20b&state=s") == 200)
        #expect(try await redirect.absoluteString == "\(receiver.redirectURI)?code=a%20b&state=s")
        let error = await #expect(throws: OAuthError.self) { _ = try await receiver.redirect() }
        #expect("\(try #require(error))".contains("already used"))
        #expect(await Self.status(receiver, "/callback") == nil, "it no longer listens")
    }

    @Test("ends when its task is cancelled")
    func cancellation() async throws {
        let receiver = try LoopbackReceiver(path: "/")
        let task = Task { try await receiver.redirect() }
        task.cancel()
        await #expect(throws: OAuthError.self) { _ = try await task.value }
    }

    @Test("stops listening when it is released")
    func released() async throws {
        var receiver: LoopbackReceiver? = try LoopbackReceiver()
        let uri = try #require(receiver?.redirectURI)
        receiver = nil
        let authority = String(uri.split(separator: "/")[1])
        let head = HTTPRequest(method: .get, scheme: "http", authority: authority, path: "/callback")
        await #expect(throws: TransportError.self) {
            _ = try await TestedEngine.sockets.transport.send(TransportRequest(head, options: .direct))
        }
    }
}
