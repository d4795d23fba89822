import AsyncHTTPClient
import Benchmark
import NIOCore
import NIOPosix
import NIOSSL

/// Measures AsyncHTTPClient.
@main
enum BenchAHC {
    enum Engine: String, CaseIterable {
        /// As many event loops as there are cores.
        case standard = "default"
        case oneLoop = "one-loop"
    }

    enum Face: String, CaseIterable {
        /// `await client.execute(…)`.
        case await
        /// `client.execute(request:)`, which returns a future.
        case future
    }

    static func main() async throws {
        let settings = Settings()
        let engine = settings.choice("--engine", settings.engine, default: Engine.standard)
        let face = settings.choice("--face", settings.face, default: Face.await)
        let trial = Trial(of: "ahc/\(engine.rawValue)/\(face.rawValue)", settings)
        let client = try makeClient(settings, engine)
        switch face {
        case .await:
            let client = AsyncClient(settings, client)
            await trial.run { try await client.perform() }
        case .future:
            let client = FutureClient(settings, client)
            await trial.run(callingBack: client.perform)
        }
        try await client.shutdown()
    }

    private static func makeClient(_ settings: Settings, _ engine: Engine) throws -> HTTPClient {
        var configuration = HTTPClient.Configuration()
        configuration.httpVersion = settings.speaksHTTP2 ? .automatic : .http1Only
        // The default is eight; the other clients have a connection for each request in flight.
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = settings.concurrency
        if let root = settings.root {
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.trustRoots = .file(root)
            configuration.tlsConfiguration = tls
        }
        let loops: any EventLoopGroup =
            switch engine {
            case .standard: MultiThreadedEventLoopGroup.singleton
            case .oneLoop: MultiThreadedEventLoopGroup(numberOfThreads: 1)
            }
        return HTTPClient(eventLoopGroupProvider: .shared(loops), configuration: configuration)
    }
}
