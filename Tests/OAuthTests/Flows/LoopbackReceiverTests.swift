import AirframeTestSupport
import AirframeTransport
import Foundation
import Glibc
import HTTPTypes
import Testing

@testable import AirframeOAuth

@Suite("The receiver of redirects", .timeLimit(.minutes(1)))
struct LoopbackReceiverTests {
    private static func status(_ receiver: LoopbackReceiver, _ path: String, _ method: HTTPRequest.Method = .get) async
        -> Int?
    {
        await status(String(receiver.redirectURI.split(separator: "/")[1]), path, method)
    }

    private static func status(_ authority: String, _ path: String, _ method: HTTPRequest.Method = .get) async -> Int? {
        let head = HTTPRequest(method: method, scheme: "http", authority: authority, path: path)
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

    @Test("waits for the redirect with the state of the request, and answers those with another one with 404")
    func state() async throws {
        let receiver = try LoopbackReceiver()
        let url = try #require(URL(string: "https://id.test/authorize"))
        let request = AuthorizationRequest(url: url, redirectURI: receiver.redirectURI, state: "right", verifier: "v")
        async let redirect = receiver.redirect(of: request)
        for query in ["", "?x", "?code=a&state=wrong", "?code=a&state=right&state=right"] {
            #expect(await Self.status(receiver, "/callback\(query)") == 404, "\(query)")
        }
        #expect(await Self.status(receiver, "/callback?code=a&state=right") == 200)
        #expect(try await redirect.absoluteString == "\(receiver.redirectURI)?code=a&state=right")
    }

    @Test("disconnects a client that sends its head byte by byte, and answers the next one")
    func slowHead() async throws {
        let (listener, port) = try LoopbackSocket.listen()
        defer { LoopbackSocket.close(listener) }
        let threads = WorkerThreads(named: "slow-head", maximum: 1)
        async let target = threads.result {
            try LoopbackSocket.target(on: listener, "page", headTimeout: .seconds(2)) { $0 == "/callback" }
        }
        let slow = try Self.connection(to: port)
        defer { close(slow) }
        var isConnected = true
        for _ in 0..<1_000 where isConnected {
            try await Task.sleep(for: .milliseconds(20))
            isConnected = send(slow, [UInt8(ascii: "G")], 1, Int32(MSG_NOSIGNAL)) == 1
        }
        #expect(!isConnected)
        #expect(await Self.status("127.0.0.1:\(port)", "/callback") == 200)
        #expect(try await target == "/callback")
    }

    private static func connection(to port: UInt16) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(descriptor >= 0 && code == 0)
        return descriptor
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
