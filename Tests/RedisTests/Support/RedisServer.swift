import AirframeTestSupport
import Foundation
import Glibc
import Synchronization

@testable import AirframeRedis

/// A test's own Redis server on a Unix socket, which the test may stop.
final class RedisServer: Sendable {
    /// Whether tests with a server run: if Redis is installed, and always on CI, where its absence is a failure.
    static let isExpected =
        program != nil || ProcessInfo.processInfo.environment["CI"] == "true"

    private static let program = ["/usr/bin/redis-server", "/usr/local/bin/redis-server"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    let folder: String
    // Guards the process.
    private let process = Mutex<Process?>(nil)

    /// Starts a server.
    init() async throws {
        folder = "/tmp/airframe-redis-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try await start()
    }

    deinit {
        stop()
        try? FileManager.default.removeItem(atPath: folder)
    }

    var url: String { "unix://\(folder)/socket" }

    func client(commandTimeout: Duration = .seconds(10)) throws -> RedisClient {
        try Self.client(of: url, commandTimeout: commandTimeout)
    }

    /// Creates a client of a server that waits longer for an answer than a busy machine takes.
    static func client(of url: String, commandTimeout: Duration = .seconds(10)) throws -> RedisClient {
        var configuration = try RedisClient.Configuration(url: url)
        configuration.commandTimeout = commandTimeout
        configuration.connectTimeout = commandTimeout
        return RedisClient(configuration)
    }

    /// Starts the server, and waits until it answers.
    func start() async throws {
        guard let program = Self.program else { throw CocoaError(.fileNoSuchFile) }
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = [
            "--port", "0", "--unixsocket", "\(folder)/socket", "--save", "", "--appendonly", "no", "--dir", folder,
        ]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        self.process.withLock { $0 = process }
        let client = try client()
        defer { client.close() }
        try await eventually("an answer") { (try? await client.send(RedisCommand("PING"))) != nil }
    }

    /// Stops the server from answering, until ``resume()``. Its connections stay open.
    func suspend() { signal(SIGSTOP) }

    /// Lets the server answer again.
    func resume() { signal(SIGCONT) }

    private func signal(_ number: Int32) {
        _ = process.withLock { $0.map { kill($0.processIdentifier, number) } }
    }

    /// Kills the server.
    func stop() {
        guard let process = process.withLock({ $0.take() }) else { return }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        unlink("\(folder)/socket")
    }
}

/// Collects what closures report.
final class Values<Value: Sendable>: Sendable {
    private let kept = Mutex<[Value]>([])
    var all: [Value] { kept.withLock { $0 } }
    func append(_ value: Value) { kept.withLock { $0.append(value) } }
}
