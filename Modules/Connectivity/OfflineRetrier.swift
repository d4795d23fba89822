public import AirframeCore
public import AirframeReachability
internal import AirframeTransport
public import Dispatch
public import Foundation
internal import Synchronization

/// Retries requests that failed without a network as soon as there is one, with Alamofire's API.
///
/// ```swift
/// let session = Session(interceptor: .offlineRetrier(maximumWait: .seconds(60)))
/// ```
///
/// If being offline can explain the error, the request waits for a path to its server. The kernel's routes decide, not
/// the error alone. The request is retried once there is a path, and keeps its error after the longest wait. If there
/// was a path all along, only an error that explicitly reports a missing network is retried, once. Requests to this
/// machine or to a Unix domain socket never wait. `URLSessionConfiguration.waitsForConnectivity` waits before a request
/// fails; a retrier's requests are adapted again.
public final class OfflineRetrier: AsyncRequestInterceptor {
    /// The default longest wait: five seconds.
    public static let defaultWait: DispatchTimeInterval = .seconds(5)

    /// The `URLError` codes that report a missing network.
    public static let defaultURLErrorOfflineCodes: Set<URLError.Code> = [.notConnectedToInternet]

    /// Returns whether being offline can explain an error: one of ``defaultURLErrorOfflineCodes``, or a failure to
    /// resolve or reach the server before anything was sent.
    public static let defaultIsOfflineError: @Sendable (_ error: any Error) -> Bool = { error in
        if OfflineRetrier.reportsOffline(error) { return true }
        let failure = error.asAFError?.transportError ?? error as? TransportError
        return failure.map { $0.canComeFromBeingOffline && $0.processing == .notSent } ?? false
    }

    private let connectivity: any Connectivity
    private let maximumWait: Duration?
    private let isOfflineError: @Sendable (_ error: any Error) -> Bool
    // Guards the attempts whose wait ended without a path.
    private let abandoned = Mutex<[ObjectIdentifier: AbandonedAttempt]>([:])

    /// Creates a retrier that accepts any network.
    ///
    /// - Parameters:
    ///   - monitor: Creates the monitor. A monitor with a host or an interface watches that one; otherwise each
    ///     request's own server counts.
    ///   - maximumWait: The longest wait for a path, five seconds by default; `.never` sets no limit.
    ///   - isOfflineError: Returns whether being offline can explain an error.
    public convenience init(
        monitor: @autoclosure @escaping () -> NetworkPathMonitor = NetworkPathMonitor(),
        maximumWait: DispatchTimeInterval = OfflineRetrier.defaultWait,
        isOfflineError: @escaping @Sendable (_ error: any Error) -> Bool = OfflineRetrier.defaultIsOfflineError
    ) {
        self.init(
            connectivity: NetworkConnectivity(monitor().configuration),
            maximumWait: maximumWait,
            isOfflineError: isOfflineError
        )
    }

    /// Creates a retrier that accepts networks of one kind.
    ///
    /// - Parameters:
    ///   - requiredInterfaceType: The kind of interface that packets must leave by. Bridges and the virtual Ethernet
    ///     devices of containers count as `.ethernet`.
    ///   - maximumWait: The longest wait for a path, five seconds by default; `.never` sets no limit.
    ///   - isOfflineError: Returns whether being offline can explain an error.
    public convenience init(
        requiredInterfaceType: NetworkInterface.Kind,
        maximumWait: DispatchTimeInterval = OfflineRetrier.defaultWait,
        isOfflineError: @escaping @Sendable (_ error: any Error) -> Bool = OfflineRetrier.defaultIsOfflineError
    ) {
        self.init(
            connectivity: NetworkConnectivity { $0.primaryInterface?.kind.counts(as: requiredInterfaceType) ?? false },
            maximumWait: maximumWait,
            isOfflineError: isOfflineError
        )
    }

    /// Creates a retrier that accepts all networks except some kinds.
    ///
    /// - Parameters:
    ///   - prohibitedInterfaceTypes: The kinds of interfaces that packets must not leave by.
    ///   - maximumWait: The longest wait for a path, five seconds by default; `.never` sets no limit.
    ///   - isOfflineError: Returns whether being offline can explain an error.
    public convenience init(
        prohibitedInterfaceTypes: [NetworkInterface.Kind],
        maximumWait: DispatchTimeInterval = OfflineRetrier.defaultWait,
        isOfflineError: @escaping @Sendable (_ error: any Error) -> Bool = OfflineRetrier.defaultIsOfflineError
    ) {
        let connectivity = NetworkConnectivity { path in
            guard let kind = path.primaryInterface?.kind else { return false }
            return !prohibitedInterfaceTypes.contains { kind.counts(as: $0) }
        }
        self.init(connectivity: connectivity, maximumWait: maximumWait, isOfflineError: isOfflineError)
    }

    package init(
        connectivity: any Connectivity,
        maximumWait: DispatchTimeInterval,
        isOfflineError: @escaping @Sendable (_ error: any Error) -> Bool
    ) {
        self.connectivity = connectivity
        self.maximumWait = Duration(maximumWait)
        self.isOfflineError = isOfflineError
    }

    /// Waits for a path to the request's server if being offline can explain `error`.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - session: The request's session. Its transport's clock times the wait.
    ///   - error: The request's error.
    /// - Returns: `.retry` once there is a path; `.doNotRetry` for other errors and after the longest wait.
    public func retry(_ request: Request, for session: Session, dueTo error: any Error) async -> RetryResult {
        guard isOfflineError(error), let target = ConnectivityTarget(request, failedWith: error),
            !hasAbandoned(request)
        else { return .doNotRetry }
        let clock = session.transport.clock
        let end = maximumWait.map { clock.now.advanced(by: $0) }
        let hasWaited = try? await clock.limited(until: end) { [connectivity] in
            try await connectivity.waitForPath(to: target, clock: clock) { _ in }
        }
        switch hasWaited {
        case true?: return .retry
        // The path returned after the error, or the error is wrong. The second time it is wrong.
        case false?: return Self.reportsOffline(error) && request.retryCount == 0 ? .retry : .doNotRetry
        case nil:
            abandon(request)
            return .doNotRetry
        }
    }

    // A failed request calls its retriers again for each of its serializers. Its wait is not repeated.

    private func hasAbandoned(_ request: Request) -> Bool {
        abandoned.withLock { $0[ObjectIdentifier(request)]?.belongs(to: request) ?? false }
    }

    private func abandon(_ request: Request) {
        abandoned.withLock { all in
            all = all.filter { $0.value.request != nil }
            all[ObjectIdentifier(request)] = AbandonedAttempt(request)
        }
    }

    /// An attempt whose wait ended without a path.
    private struct AbandonedAttempt {
        private(set) weak var request: Request?
        private let retryCount: Int

        init(_ request: Request) {
            self.request = request
            retryCount = request.retryCount
        }

        func belongs(to other: Request) -> Bool { request === other && retryCount == other.retryCount }
    }

    private static func reportsOffline(_ error: any Error) -> Bool {
        if let beneath = error.asAFError?.underlyingError { return reportsOffline(beneath) }
        return (error as? URLError).map { defaultURLErrorOfflineCodes.contains($0.code) } ?? false
    }
}

extension RequestInterceptor where Self == OfflineRetrier {
    /// Creates a retrier that waits for any network.
    ///
    /// - Parameters:
    ///   - monitor: Creates the monitor.
    ///   - maximumWait: The longest wait for a path, five seconds by default.
    ///   - isOfflineError: Returns whether being offline can explain an error.
    public static func offlineRetrier(
        monitor: @autoclosure @escaping () -> NetworkPathMonitor = NetworkPathMonitor(),
        maximumWait: DispatchTimeInterval = OfflineRetrier.defaultWait,
        isOfflineError: @escaping @Sendable (_ error: any Error) -> Bool = OfflineRetrier.defaultIsOfflineError
    ) -> OfflineRetrier {
        OfflineRetrier(monitor: monitor(), maximumWait: maximumWait, isOfflineError: isOfflineError)
    }

    /// Creates a retrier that waits for a network of one kind.
    ///
    /// - Parameters:
    ///   - requiredInterfaceType: The kind of interface that packets must leave by.
    ///   - maximumWait: The longest wait for a path, five seconds by default.
    ///   - isOfflineError: Returns whether being offline can explain an error.
    public static func offlineRetrier(
        requiredInterfaceType: NetworkInterface.Kind,
        maximumWait: DispatchTimeInterval = OfflineRetrier.defaultWait,
        isOfflineError: @escaping @Sendable (_ error: any Error) -> Bool = OfflineRetrier.defaultIsOfflineError
    ) -> OfflineRetrier {
        OfflineRetrier(
            requiredInterfaceType: requiredInterfaceType,
            maximumWait: maximumWait,
            isOfflineError: isOfflineError
        )
    }

    /// Creates a retrier that waits for a network of any but some kinds.
    ///
    /// - Parameters:
    ///   - prohibitedInterfaceTypes: The kinds of interfaces that packets must not leave by.
    ///   - maximumWait: The longest wait for a path, five seconds by default.
    ///   - isOfflineError: Returns whether being offline can explain an error.
    public static func offlineRetrier(
        prohibitedInterfaceTypes: [NetworkInterface.Kind],
        maximumWait: DispatchTimeInterval = OfflineRetrier.defaultWait,
        isOfflineError: @escaping @Sendable (_ error: any Error) -> Bool = OfflineRetrier.defaultIsOfflineError
    ) -> OfflineRetrier {
        OfflineRetrier(
            prohibitedInterfaceTypes: prohibitedInterfaceTypes,
            maximumWait: maximumWait,
            isOfflineError: isOfflineError
        )
    }
}
