import AirframeCore
import Foundation
import Synchronization

/// Keeps the notifications that requests post.
final class NotificationCollector: Sendable {
    /// `@unchecked Sendable`: a notification that was posted is immutable.
    private struct Posted: @unchecked Sendable {
        let notification: Notification
    }

    /// `@unchecked Sendable`: the token is immutable, and only handed back to the notification center.
    private struct Observer: @unchecked Sendable {
        let token: any NSObjectProtocol
    }

    private final class Posts: Sendable {
        // Guards the notifications so far.
        let all = Mutex<[Posted]>([])
    }

    private let posts: Posts
    private let observers: [Observer]

    init() {
        let posts = Posts()
        self.posts = posts
        let names = [
            Request.didResumeNotification, Request.didSuspendNotification, Request.didCancelNotification,
            Request.didFinishNotification, Request.didResumeTaskNotification, Request.didSuspendTaskNotification,
            Request.didCancelTaskNotification, Request.didCompleteTaskNotification,
        ]
        observers = names.map { name in
            Observer(
                token: NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { notification in
                    let posted = Posted(notification: notification)
                    posts.all.withLock { $0.append(posted) }
                })
        }
    }

    deinit {
        for observer in observers { NotificationCenter.default.removeObserver(observer.token) }
    }

    /// The notifications of one request.
    func of(_ request: Request) -> [Notification] {
        posts.all.withLock { $0.map(\.notification) }.filter { $0.request === request }
    }
}
