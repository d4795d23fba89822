public import Dispatch
public import Foundation
internal import Synchronization

/// Posts notifications of requests' events on the main queue. A session has one by default.
///
/// Nothing is posted before one of the names (``Request/didResumeNotification`` and the others) has been read, so that
/// a program without observers does not pay for notifications.
public final class AlamofireNotifications: EventMonitor {
    /// Creates a monitor that posts notifications.
    public init() {}

    /// The main queue.
    public var queue: DispatchQueue { .main }
    /// `false`: no notification is posted for the transport's events.
    public var receivesTransportEvents: Bool { false }

    /// Posts ``Request/didResumeNotification``.
    public func requestDidResume(_ request: Request) { RequestNotification.didResume.post(of: request) }
    /// Posts ``Request/didSuspendNotification``.
    public func requestDidSuspend(_ request: Request) { RequestNotification.didSuspend.post(of: request) }
    /// Posts ``Request/didCancelNotification``.
    public func requestDidCancel(_ request: Request) { RequestNotification.didCancel.post(of: request) }
    /// Posts ``Request/didFinishNotification``.
    public func requestDidFinish(_ request: Request) { RequestNotification.didFinish.post(of: request) }
    /// Posts ``Request/didResumeTaskNotification``.
    public func request(_ request: Request, didResumeTask task: URLSessionTask) {
        RequestNotification.didResumeTask.post(of: request)
    }
    /// Posts ``Request/didSuspendTaskNotification``.
    public func request(_ request: Request, didSuspendTask task: URLSessionTask) {
        RequestNotification.didSuspendTask.post(of: request)
    }
    /// Posts ``Request/didCancelTaskNotification``.
    public func request(_ request: Request, didCancelTask task: URLSessionTask) {
        RequestNotification.didCancelTask.post(of: request)
    }
    /// Posts ``Request/didCompleteTaskNotification``.
    ///
    /// - Parameters:
    ///   - request: The request, which is the object of the notification.
    ///   - task: The task that completed.
    ///   - error: The error of the task; `nil` if it succeeded.
    public func request(_ request: Request, didCompleteTask task: URLSessionTask, with error: AFError?) {
        RequestNotification.didCompleteTask.post(of: request)
    }
}

extension Request {
    /// Posted when a request is resumed; its `request` is the ``Request``.
    public static var didResumeNotification: Notification.Name { RequestNotification.didResume.watchedName }
    /// Posted when a request is suspended; its `request` is the ``Request``.
    public static var didSuspendNotification: Notification.Name { RequestNotification.didSuspend.watchedName }
    /// Posted when a request is cancelled; its `request` is the ``Request``.
    public static var didCancelNotification: Notification.Name { RequestNotification.didCancel.watchedName }
    /// Posted when a request has ended; its `request` is the ``Request``.
    public static var didFinishNotification: Notification.Name { RequestNotification.didFinish.watchedName }
    /// Posted when a request's task is resumed; its `request` is the ``Request``.
    public static var didResumeTaskNotification: Notification.Name { RequestNotification.didResumeTask.watchedName }
    /// Posted when a request's task is suspended; its `request` is the ``Request``.
    public static var didSuspendTaskNotification: Notification.Name { RequestNotification.didSuspendTask.watchedName }
    /// Posted when a request's task is cancelled; its `request` is the ``Request``.
    public static var didCancelTaskNotification: Notification.Name { RequestNotification.didCancelTask.watchedName }
    /// Posted when a request's task has ended; its `request` is the ``Request``.
    public static var didCompleteTaskNotification: Notification.Name { RequestNotification.didCompleteTask.watchedName }

    /// Whether the session posts notifications and an observer may exist.
    var postsNotifications: Bool { context.postsNotifications && RequestNotification.isWatched }

    /// Posts a notification if the session posts any and an observer may exist.
    func post(_ notification: RequestNotification) {
        guard postsNotifications else { return }
        DispatchQueue.main.async { notification.post(of: self) }
    }
}

extension Notification {
    /// The request of the notification.
    public var request: Request? { userInfo?[RequestNotification.requestKey] as? Request }
}

/// The names of the notifications of requests.
enum RequestNotification: String {
    case didResume = "airframe.notification.request.didResume"
    case didSuspend = "airframe.notification.request.didSuspend"
    case didCancel = "airframe.notification.request.didCancel"
    case didFinish = "airframe.notification.request.didFinish"
    case didResumeTask = "airframe.notification.request.didResumeTask"
    case didSuspendTask = "airframe.notification.request.didSuspendTask"
    case didCancelTask = "airframe.notification.request.didCancelTask"
    case didCompleteTask = "airframe.notification.request.didCompleteTask"

    static let requestKey = "airframe.notification.key.request"
    private static let watched = Atomic(false)

    /// Whether a name has been read, so that an observer may exist.
    static var isWatched: Bool { watched.load(ordering: .relaxed) }

    /// The name, for an observer.
    var watchedName: Notification.Name {
        Self.watched.store(true, ordering: .relaxed)
        return Notification.Name(rawValue)
    }

    func post(of request: Request) {
        guard Self.isWatched else { return }
        NotificationCenter.default.post(
            name: Notification.Name(rawValue),
            object: nil,
            userInfo: [Self.requestKey: request]
        )
    }
}
