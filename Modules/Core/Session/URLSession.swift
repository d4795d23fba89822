internal import Dispatch
public import Foundation
internal import Synchronization

/// A handle that identifies a session to monitors, and holds its configuration and delegate. It sends nothing itself.
///
/// Every ``Session`` has one, ``Session/session``. A handle that the user created passes its configuration to
/// `Session(session:delegate:rootQueue:…)`. Only ``Session`` creates requests.
public final class URLSession: Sendable, Hashable {
    /// The configuration. Changes to it have no effect on sessions that exist already.
    public let configuration: URLSessionConfiguration
    /// The delegate that the handle was created with.
    public let delegate: (any URLSessionDelegate)?
    /// The queue that was passed, or a queue on the root queue of the session that made the handle. Nothing runs on it.
    /// A session with this handle takes its root queue as an argument.
    public var delegateQueue: OperationQueue {
        if let known = queue.withLock({ $0 }) { return known }
        let made = makeQueue()
        return queue.withLock { queue in
            // Another task may have made one meanwhile.
            let first = queue ?? made
            queue = first
            return first
        }
    }

    // Guards the queue, which is made when it is first used (decision 139).
    private let queue: Mutex<OperationQueue?>
    private let makeQueue: @Sendable () -> OperationQueue
    // Guards the description.
    private let text = Mutex<String?>(nil)

    /// Creates a handle.
    ///
    /// - Parameters:
    ///   - configuration: The configuration, which is copied.
    ///   - delegate: A ``SessionDelegate``, for a session with this handle.
    ///   - delegateQueue: Kept for ``delegateQueue``; nothing runs on it.
    public init(
        configuration: URLSessionConfiguration,
        delegate: (any URLSessionDelegate)? = nil,
        delegateQueue: OperationQueue? = nil
    ) {
        self.configuration = configuration.copy()
        self.delegate = delegate
        queue = Mutex(delegateQueue)
        makeQueue = { Self.sharedQueue }
    }

    /// Creates the handle of a session, with a delegate queue on its root queue.
    init(
        configuration: URLSessionConfiguration,
        delegate: any URLSessionDelegate,
        rootQueue: DispatchQueue
    ) {
        self.configuration = configuration.copy()
        self.delegate = delegate
        queue = Mutex(nil)
        makeQueue = {
            let queue = OperationQueue()
            queue.maxConcurrentOperationCount = 1
            queue.underlyingQueue = rootQueue
            queue.name = "\(rootQueue.label).sessionDelegate"
            return queue
        }
    }

    private static let sharedQueue = OperationQueue()

    /// A description that the user sets.
    public var sessionDescription: String? {
        get { text.withLock { $0 } }
        set { text.withLock { $0 = newValue } }
    }

    /// Whether both are the same handle.
    public static func == (left: URLSession, right: URLSession) -> Bool { left === right }

    /// Hashes the handle's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// The answer to a challenge.
    public enum AuthChallengeDisposition: Int, Sendable, Hashable {
        /// Answers with a credential.
        case useCredential = 0
        /// Applies the session's default behaviour.
        case performDefaultHandling = 1
        /// Cancels the task.
        case cancelAuthenticationChallenge = 2
        /// Leaves the challenge unanswered.
        case rejectProtectionSpace = 3
    }

    /// The handling of a response once its head is known.
    public enum ResponseDisposition: Int, Sendable, Hashable {
        /// Cancels the task.
        case cancel = 0
        /// Receives the body.
        case allow = 1
    }
}

extension URLSession: CustomStringConvertible {
    /// The user's description, if there is one.
    public var description: String { "URLSession(\(sessionDescription ?? "no description"))" }
}

/// A delegate of a ``URLSession``. Sessions use delegates that are a ``SessionDelegate``.
public protocol URLSessionDelegate: AnyObject, Sendable {}
