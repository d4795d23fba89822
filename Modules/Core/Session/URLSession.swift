public import Foundation
internal import Synchronization

/// A handle on what the tasks of a session have in common: it names the session to monitors, and sends nothing itself.
///
/// Every ``Session`` has one, ``Session/session``. One that was made by hand gives its configuration to
/// `Session(session:delegate:rootQueue:…)`. Requests are made by ``Session`` alone.
public final class URLSession: Sendable, Hashable {
    /// The configuration. Changes to it have no effect on sessions that were made with it.
    public let configuration: URLSessionConfiguration
    /// The delegate that the session was made with.
    public let delegate: (any URLSessionDelegate)?
    /// The queue that a session made with this handle takes its root queue from. Nothing runs on it.
    public let delegateQueue: OperationQueue

    // Guards the text alone.
    private let text = Mutex<String?>(nil)

    /// Makes a handle.
    ///
    /// - Parameters:
    ///   - configuration: The configuration, which is copied.
    ///   - delegate: A ``SessionDelegate``, for a session that is made with the handle.
    ///   - delegateQueue: The queue whose underlying queue is to be the session's root queue.
    public init(
        configuration: URLSessionConfiguration,
        delegate: (any URLSessionDelegate)? = nil,
        delegateQueue: OperationQueue? = nil
    ) {
        self.configuration = configuration.copy()
        self.delegate = delegate
        self.delegateQueue = delegateQueue ?? Self.sharedQueue
    }

    private static let sharedQueue = OperationQueue()

    /// A text of the user's own.
    public var sessionDescription: String? {
        get { text.withLock { $0 } }
        set { text.withLock { $0 = newValue } }
    }

    /// Whether both are the same handle.
    public static func == (left: URLSession, right: URLSession) -> Bool { left === right }

    /// Hashes the handle's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// What to do about a challenge.
    public enum AuthChallengeDisposition: Int, Sendable, Hashable {
        /// Answer with a credential.
        case useCredential = 0
        /// Do what the session does by itself.
        case performDefaultHandling = 1
        /// End the task.
        case cancelAuthenticationChallenge = 2
        /// Leave the challenge unanswered.
        case rejectProtectionSpace = 3
    }

    /// What to do about a response once its head is there.
    public enum ResponseDisposition: Int, Sendable, Hashable {
        /// End the task.
        case cancel = 0
        /// Receive the body.
        case allow = 1
    }
}

extension URLSession: CustomStringConvertible {
    /// The user's text, or none.
    public var description: String { "URLSession(\(sessionDescription ?? "no description"))" }
}

/// A delegate of a ``URLSession``: ``SessionDelegate`` is the one that sessions know.
public protocol URLSessionDelegate: AnyObject, Sendable {}
