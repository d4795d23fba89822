import AirframeReachability
import Foundation
import Synchronization
import Testing

/// Follows a monitor and records its paths.
final class PathProbe: Sendable {
    private final class Record: Sendable {
        let paths = Mutex<[NetworkPath]>([])
        let failure = Mutex<NetworkPathError?>(nil)
    }

    private let record: Record
    private let task: Task<Void, Never>

    init(_ configuration: NetworkPathMonitor.Configuration) {
        let record = Record()
        self.record = record
        task = Task {
            do throws(NetworkPathError) {
                for try await path in NetworkPathMonitor(configuration) { record.paths.withLock { $0.append(path) } }
            } catch {
                record.failure.withLock { $0 = error }
            }
        }
    }

    deinit { task.cancel() }

    var paths: [NetworkPath] { record.paths.withLock(\.self) }
    var last: NetworkPath? { paths.last }

    /// Waits until the latest path is as described.
    func expect(
        _ what: Comment,
        within seconds: Double = 10,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ isRight: (NetworkPath) -> Bool
    ) async throws {
        let end = Date(timeIntervalSinceNow: seconds)
        while Date() < end {
            if let last, isRight(last) { return }
            if let failure = record.failure.withLock(\.self) { throw failure }
            try await Task.sleep(for: .milliseconds(2))
        }
        Issue.record(
            "\(what) was not reported; the last path: \(String(describing: last))", sourceLocation: sourceLocation)
    }

    /// Waits until no path has come for 300 ms.
    func settle() async throws {
        var count = -1
        while count != paths.count || count == 0 {
            count = paths.count
            try await Task.sleep(for: .milliseconds(300))
        }
    }

    func stop() { task.cancel() }
}
