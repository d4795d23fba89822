import Airframe
import Benchmark

/// Measures Airframe: the chain, or an engine alone.
@main
enum BenchAirframe {
    enum Engine: String, CaseIterable {
        case curl
        case socket
        /// Over sockets, with tasks that prefer the reactor's thread.
        case reactor
    }

    enum Face: String, CaseIterable {
        /// `await AF.request(…).serializingDecodable(…).value`.
        case await
        /// `AF.request(…).responseDecodable(…) { … }`.
        case handler
        /// The same, on the main queue.
        case main
        /// `transport.send(…)`, without a session.
        case transport
    }

    static func main() async throws {
        let settings = Settings()
        let engine = settings.choice("--engine", settings.engine, default: Engine.curl)
        let face = settings.choice("--face", settings.face, default: Face.await)
        let trial = Trial(of: "airframe/\(engine.rawValue)/\(face.rawValue)", settings)
        let (transport, executor) = engine.makeTransport()
        try await withTaskExecutorPreference(executor) { try await measure(trial, settings, face, transport) }
    }

    private static func measure(
        _ trial: Trial,
        _ settings: Settings,
        _ face: Face,
        _ transport: any Transport
    ) async throws {
        switch face {
        case .await:
            let client = ChainClient(settings, transport)
            await trial.run { try await client.perform() }
        case .handler, .main:
            let client = HandlerClient(settings, transport, isMain: face == .main)
            await trial.run(callingBack: client.perform)
        case .transport:
            let client = try TransportClient(settings, transport)
            await trial.run { try await client.perform() }
        }
    }
}
