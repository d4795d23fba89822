import Airframe
import Benchmark
import Foundation

/// The chain with `await`, each request made from a string as most callers do.
struct ChainClient: Sendable {
    private let settings: Settings
    private let session: Session

    init(_ settings: Settings, _ transport: any Transport) {
        self.settings = settings
        session = Session(settings, transport)
    }

    func perform() async throws {
        switch settings.work {
        case .json:
            _ = try await session.request(settings.url).validate().serializingDecodable(Sample.self).value
        case .get:
            _ = try await session.request(settings.url).validate().serializingData().value
        case .newConnection:
            let request = session.request(settings.url, headers: ["Connection": "close"])
            _ = try await request.validate().serializingData().value
        case .upload:
            let file = URL(fileURLWithPath: settings.file ?? "")
            let request = session.upload(file, to: settings.url, method: .put)
            _ = try await request.validate().serializingData().value
        case .download:
            refuse("the chain's downloads go to files: ask for --work download-file")
        case .downloadFile:
            let file = try await session.download(settings.url).validate().serializingDownloadedFileURL().value
            try FileManager.default.removeItem(at: file)
        }
    }
}
