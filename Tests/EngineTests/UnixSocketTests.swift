import AirframeCurl
import AirframeTestSupport
import AirframeTransport
import HTTPTypes
import Testing

@Suite("Requests over Unix sockets", .timeLimit(.minutes(1)))
struct UnixSocketTests {
    @Test(
        "no proxy is used, whether its description is valid or not",
        arguments: TestedEngine.allCases, [3128, 70_000]
    )
    func noProxy(_ engine: TestedEngine, _ port: Int) async throws {
        let log = EventLog()
        let request = TransportRequest(.get, "http://localhost/").with {
            $0.options.unixSocketPath = "/nowhere/airframe.sock"
            $0.options.proxy = .proxy(Proxy(host: "127.0.0.1", port: port))
            $0.events = log
        }
        let transport = engine.transport
        let error = try #require(await transport.failure(of: request))
        #expect(error.code == .connectFailed, "\(error)")
        #expect(error.phase == .connect)
        #expect(!log.names.contains("proxyStarted"))
        await transport.shutdown()
    }

    @Test("over libcurl, a request fails while the server's queue is full (connect(2)), and was not sent")
    func fullQueue() async throws {
        let listener = try FullUnixListener()
        let transport = CurlTransport()
        let errors = await withTaskGroup(of: TransportError?.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    await transport.failure(
                        of: TransportRequest(.get, "http://localhost/").with {
                            $0.options.unixSocketPath = listener.path
                            $0.options.limits.firstByte = .milliseconds(500)
                        })
                }
            }
            return await group.reduce(into: [TransportError?]()) { $0.append($1) }
        }
        // The kernel queues a connection even with a backlog of 0.
        let refused = errors.filter { $0?.code == .connectFailed }
        #expect(refused.count >= 6, "\(errors)")
        for error in refused {
            #expect(error?.processing == .notSent)
            #expect(error?.message.contains("the Unix socket \(listener.path) accepts no connection") == true)
        }
        await transport.shutdown()
    }
}
