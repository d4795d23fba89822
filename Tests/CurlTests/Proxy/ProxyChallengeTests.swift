import AirframeConformance
import AirframeTestSupport
import AirframeTransport
import HTTPTypes
import Synchronization
import Testing

@testable import AirframeCurl

@Suite("Challenges of proxies", .timeLimit(.minutes(1)))
struct ProxyChallengeTests {
    @Test(
        "a proxy that repeats its Digest challenge is given up after a few responses", arguments: [true, false],
        [true, false])
    func stale(keepsConnection: Bool, overTLS: Bool) async throws {
        let count = Mutex(0)
        let server = try ScriptedServer { connection in
            repeat {
                _ = try connection.readHead()
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                let fate = keepsConnection ? "keep-alive" : "close"
                try connection.send(
                    "HTTP/1.1 407 X\r\nProxy-Authenticate: Digest realm=\"r\", nonce=\"n\(number)\", stale=true\r\n"
                        + "Connection: \(fate)\r\nContent-Length: 0\r\n\r\n")
            } while keepsConnection
        }
        defer { server.stop() }
        var proxy = Proxy(
            kind: .http, host: "127.0.0.1", port: server.port, credential: .init(username: "u", password: "secret"))
        proxy.tunnelsAlways = true
        var request = TransportRequest(.get, overTLS ? "https://127.0.0.1:1/" : "http://127.0.0.1:1/")
        request.options.proxy = .proxy(proxy)
        request.options.deadline = .seconds(20)
        let failure = await CurlTransport().failure(of: request)
        let error = try #require(failure)
        #expect(error.code == .proxyFailed, "\(error)")
        #expect(error.processing == .notProcessed)
        #expect(error.message.contains("407"), "\(error)")
        #expect(count.withLock { $0 } <= 6)
    }
}
