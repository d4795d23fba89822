import AirframeCore
import Dispatch
import Foundation
import Synchronization

/// A log of the names of events in their order.
final class EventLog: EventMonitor {
    private let names = Mutex<[String]>([])
    private let waiters = Mutex<[(name: String, continuation: CheckedContinuation<Void, Never>)]>([])

    var isCalledSynchronously: Bool { true }
    var receivesTransportEvents: Bool { false }
    var events: [String] { names.withLock { $0 } }

    /// Waits until an event has been logged.
    func wait(for name: String) async {
        await withCheckedContinuation { continuation in
            let isThere = names.withLock { names in
                guard !names.contains(name) else { return true }
                waiters.withLock { $0.append((name, continuation)) }
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    private func note(_ name: String) {
        let resumed = names.withLock { names in
            names.append(name)
            return waiters.withLock { waiters in
                defer { waiters.removeAll { $0.name == name } }
                return waiters.filter { $0.name == name }
            }
        }
        for waiter in resumed { waiter.continuation.resume() }
    }

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) { note("session invalid") }
    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) { note("task data") }
    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        note("task end of \(session.sessionDescription ?? "?")")
    }
    func request(_ request: Request, didCreateURLRequest urlRequest: URLRequest) { note("url request") }
    func request(_ request: Request, didCreateTask task: URLSessionTask) { note("task") }
    func request(_ request: Request, didResumeTask task: URLSessionTask) { note("task resumed") }
    func request(_ request: Request, didSuspendTask task: URLSessionTask) { note("task suspended") }
    func request(_ request: Request, didCancelTask task: URLSessionTask) { note("task cancelled") }
    func request(_ request: Request, didCompleteTask task: URLSessionTask, with error: AFError?) { note("complete") }
    func requestDidFinish(_ request: Request) { note("finish") }
}
