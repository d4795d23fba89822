public import AirframeCore
public import Foundation

// Results, notifications and other names of Alamofire 3 and 4.

@available(*, deprecated, message: "switch over the result")
extension Result {
    /// Whether the result is a success.
    public var isSuccess: Bool { if case .success = self { true } else { false } }
    /// Whether the result is a failure.
    public var isFailure: Bool { !isSuccess }
    /// The value of a success; otherwise `nil`.
    public var value: Success? { if case .success(let value) = self { value } else { nil } }
    /// The error of a failure; otherwise `nil`.
    public var error: Failure? { if case .failure(let error) = self { error } else { nil } }
}

@available(*, deprecated, message: "use .success(())")
extension Result where Success == Void {
    /// The result of a validation that passed.
    public static var success: Result { .success(()) }
}

/// ``ServerTrustManager`` under Alamofire 4's name.
@available(*, deprecated, renamed: "ServerTrustManager")
public typealias ServerTrustPolicyManager = ServerTrustManager

@available(*, deprecated)
extension Notification.Name {
    /// The notifications of tasks under Alamofire 4's names.
    public enum Task {
        /// A task was resumed.
        public static var DidResume: Notification.Name { Request.didResumeTaskNotification }
        /// A task was suspended.
        public static var DidSuspend: Notification.Name { Request.didSuspendTaskNotification }
        /// A task was cancelled.
        public static var DidCancel: Notification.Name { Request.didCancelTaskNotification }
        /// A task completed.
        public static var DidComplete: Notification.Name { Request.didCompleteTaskNotification }
    }
}

/// The notifications of tasks under Alamofire 3's names.
@available(*, deprecated)
public struct Notifications {
    /// The notifications of tasks.
    public struct Task {
        /// A task was resumed.
        public static var DidResume: String { Request.didResumeTaskNotification.rawValue }
        /// A task was suspended.
        public static var DidSuspend: String { Request.didSuspendTaskNotification.rawValue }
        /// A task was cancelled.
        public static var DidCancel: String { Request.didCancelTaskNotification.rawValue }
        /// A task completed.
        public static var DidComplete: String { Request.didCompleteTaskNotification.rawValue }
    }
}
