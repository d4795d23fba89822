import AirframeCore
import AirframeTestSupport
import AirframeTransfers
import AirframeTransport
import Foundation
import Synchronization
import Testing

// Guards the sessions that tests use.
private let sessions = Mutex<[Session]>([])

extension TestedEngine {
    /// A session on the engine, without a proxy of the environment.
    ///
    /// It is held until the tests end: requests do not hold their session.
    func session(interceptor: (any RequestInterceptor)? = nil) -> Session {
        let configuration = URLSessionConfiguration.af.default
        configuration.transportOptions.proxy = ProxyPolicy.none
        let session = Session(transport: transport, configuration: configuration, interceptor: interceptor)
        sessions.withLock { $0.append(session) }
        return session
    }
}

/// A folder that goes with the test.
final class ScratchFolder: Sendable {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("airframe-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: url) }

    func file(_ name: String) -> URL { url.appendingPathComponent(name) }

    func file(_ name: String, _ content: Data) throws -> URL {
        try content.write(to: file(name))
        return file(name)
    }

    /// The names of all files, hidden ones too, but for the queue's own.
    var names: [String] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
        return all.filter { !$0.hasPrefix("queue") }.sorted()
    }
}

extension ScratchFolder {
    /// A queue in the folder that retries immediately and stores every step.
    func queue(
        _ engine: TestedEngine = .sockets,
        _ configure: (inout TransferQueue.Configuration) -> Void = { _ in }
    ) async throws -> TransferQueue {
        try await queue(on: engine.session(), configure)
    }

    func queue(
        on session: Session,
        _ configure: (inout TransferQueue.Configuration) -> Void = { _ in }
    ) async throws -> TransferQueue {
        var configuration = TransferQueue.Configuration()
        configuration.checkpointSeconds = 0
        configure(&configuration)
        return try await TransferQueue(file: file("queue.db"), session: session, configuration: configuration)
    }
}

extension TransferDescription {
    /// The description with waits between attempts that a test can bear.
    func impatient(attempts: Int = 4) -> TransferDescription {
        var description = self
        description.retry = TransferRetryRule(attempts: attempts, delay: 0.005, longestDelay: 0.02)
        return description
    }

    /// The description of a download, changed.
    func downloading(_ change: (inout DownloadDescription) -> Void) -> TransferDescription {
        guard case .download(var download) = work else { return self }
        change(&download)
        var description = self
        description.work = .download(download)
        return description
    }
}

extension TransferQueue {
    /// Adds a transfer, carries it out, and returns how it ended.
    func finish(_ description: TransferDescription) async throws -> Transfer {
        let id = try await add(description.impatient())
        try await runUntilIdle()
        return try #require(try await transfer(id))
    }
}
