import Benchmark

/// Measures URLSession as Swift on Linux has it. It trusts the system's roots alone: no TLS here.
@main
enum BenchURLSession {
    enum Face: String, CaseIterable {
        /// `await session.data(for:)`.
        case await
        /// `session.dataTask(with:completionHandler:)`.
        case handler
    }

    static func main() async {
        let settings = Settings()
        let face = settings.choice("--face", settings.face, default: Face.await)
        guard settings.url.hasPrefix("http:") else { refuse("bench-urlsession takes URLs of http only") }
        guard !settings.speaksHTTP2 else { refuse("bench-urlsession speaks HTTP/1.1") }
        let client = URLSessionClient(settings)
        let trial = Trial(of: "urlsession/\(face.rawValue)", settings)
        switch face {
        case .await: await trial.run { try await client.perform() }
        case .handler: await trial.run(callingBack: client.perform)
        }
    }
}
