import Foundation
import FoundationNetworking
import Synchronization

/// Counts the bytes of bodies as they come, and keeps none.
final class DownloadCounter: NSObject, URLSessionDataDelegate, Sendable {
    private struct Download {
        var count = 0
        let continuation: CheckedContinuation<(Int, URLResponse?), any Error>
    }

    // Guards the downloads that run, by their task's number.
    private let downloads = Mutex<[Int: Download]>([:])

    func run(_ task: URLSessionDataTask) async throws -> (Int, URLResponse?) {
        try await withCheckedThrowingContinuation { continuation in
            downloads.withLock { $0[task.taskIdentifier] = Download(continuation: continuation) }
            task.resume()
        }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        downloads.withLock { $0[dataTask.taskIdentifier]?.count += data.count }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let download = downloads.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
        if let error {
            download.continuation.resume(throwing: error)
        } else {
            download.continuation.resume(returning: (download.count, task.response))
        }
    }
}
