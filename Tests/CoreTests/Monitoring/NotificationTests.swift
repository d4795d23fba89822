import AirframeCore
import AirframeSerialization
import AirframeTestSupport
import AirframeTransport
import Foundation
import Synchronization
import Testing

@Suite("Notifications", .timeLimit(.minutes(1)))
struct NotificationTests {
    @Test("are posted for resumption, end and task of a request, with the request")
    func success() async throws {
        let session = Session(transport: ClosureTransport { .text("text", to: $0) }, startRequestsImmediately: false)
        let request = session.request("http://api.test/")
        let posted = Posted(
            [
                Request.didResumeNotification, Request.didResumeTaskNotification, Request.didCompleteTaskNotification,
                Request.didFinishNotification, Request.didCancelNotification,
            ], of: request)
        let task = request.serializingString()
        request.resume()
        _ = await task.response
        #expect(
            try await posted.names(count: 4) == [
                Request.didResumeNotification, Request.didResumeTaskNotification, Request.didCompleteTaskNotification,
                Request.didFinishNotification,
            ])
    }

    @Test("are posted for suspension and cancellation")
    func cancellation() async throws {
        let session = Session(transport: ClosureTransport { .text("text", to: $0) }, startRequestsImmediately: false)
        let request = session.request("http://api.test/")
        let posted = Posted([Request.didSuspendNotification, Request.didCancelNotification], of: request)
        request.suspend().cancel()
        #expect(
            try await posted.names(count: 2) == [Request.didSuspendNotification, Request.didCancelNotification])
    }

    @Test("are not posted by a session with its own monitors, as with Alamofire")
    func withoutNotifications() async throws {
        let session = Session(transport: ClosureTransport { .text("text", to: $0) }, eventMonitors: [])
        let request = session.request("http://api.test/")
        let posted = Posted([Request.didFinishNotification], of: request)
        _ = await request.serializingString().response
        // A later notification of another session on the same queue shows that none is pending.
        let other = Session(transport: ClosureTransport { .text("text", to: $0) })
        let marker = other.request("http://api.test/")
        let marked = Posted([Request.didFinishNotification], of: marker)
        _ = await marker.serializingString().response
        #expect(try await marked.names(count: 1).count == 1)
        #expect(posted.current.isEmpty)
    }

    /// The notifications of one request, in their order.
    ///
    /// `@unchecked Sendable` because observers are not Sendable: they are confined to the initializer and the
    /// deinitializer.
    private final class Posted: @unchecked Sendable {
        private let received = Mutex<[Notification.Name]>([])
        private var observers: [any NSObjectProtocol] = []

        init(_ names: [Notification.Name], of request: Request) {
            for name in names {
                let observer = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) {
                    [weak self, weak request] notification in
                    guard let request, notification.request == request else { return }
                    self?.received.withLock { $0.append(name) }
                }
                observers.append(observer)
            }
        }

        deinit {
            for observer in observers { NotificationCenter.default.removeObserver(observer) }
        }

        var current: [Notification.Name] { received.withLock { $0 } }

        func names(count: Int) async throws -> [Notification.Name] {
            try await eventually("\(count) notifications") { current.count >= count }
            return current
        }
    }
}
