public import AirframeCore
public import AirframeReachability
internal import AirframeTransport
public import Dispatch
public import Foundation
internal import Synchronization

/// Retries requests that failed for want of a network, as soon as there is one, with Alamofire's API.
///
/// ```swift
/// let session = Session(interceptor: .offlineRetrier(maximumWait: .seconds(60)))
/// ```
///
/// A request that fails with an error that being offline can explain waits for a path to its server: the kernel's routes
/// decide, not the error alone. It is retried when there is one, and left to its error after the longest wait. Where
/// there is a path all along, only an error that says the opposite is retried, once. Requests to this machine or to
/// a unix socket never wait. `waitsForConnectivity` of a session's configuration waits before requests fail; a
/// retrier's requests are adapted anew.
public final class OfflineRetrier: AsyncRequestInterceptor {
    /// The longest wait of a retrier that names no other: five seconds.
    public static let defaultWait: DispatchTimeInterval = .seconds(5)

    /// The codes of `URLError` that say that there is no network.
    public static let defaultURLErrorOfflineCodes: Set<URLError.Code> = [.notConnectedToInternet]

    /// Whether an error can come from being offline: one of ``defaultURLErrorOfflineCodes``, or a failure of the
    /// transport to find or reach the server before anything was sent.
    public static let defaultIsOfflineError: @Sendable (_ error: any Error) -> Bool = { error in
        if OfflineRetrier.saysOffline(error) { return true }
        let failure = error.asAFError?.transportError ?? error as? TransportError
        return failure.map { $0.mayComeFromBeingOffline && $0.processing == .notSent } ?? false
    }

    private let connectivity: any Connectivity
    private let maximumWait: Duration?
    private let isOfflineError: @Sendable (_ error: any Error) -> Bool
    // Guards the attempts that were waited for in vain.
    private let givenUp = Mutex<[ObjectIdentifier: GivenUp]>([:])

    /// Makes a retrier that accepts any network.
    ///
    /// - Parameters:
    ///   - monitor: Makes the monitor. One that names a host or an interface watches these; otherwise each request's own
    ///     server is what counts.
    ///   - maximumWait: The longest wait for a path, five seconds by default; `.never` sets no limit.
    ///   - isOfflineError: Whether an error can come from being offline.
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

    /// Makes a retrier that accepts networks of one kind.
    ///
    /// - Parameters:
    ///   - requiredInterfaceType: The kind of interface that packets must leave by. Bridges and the virtual cables of
    ///     containers count as `.ethernet`.
    ///   - maximumWait: The longest wait for a path, five seconds by default; `.never` sets no limit.
    ///   - isOfflineError: Whether an error can come from being offline.
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

    /// Makes a retrier that accepts all networks but those of some kinds.
    ///
    /// - Parameters:
    ///   - prohibitedInterfaceTypes: The kinds of interfaces that packets must not leave by.
    ///   - maximumWait: The longest wait for a path, five seconds by default; `.never` sets no limit.
    ///   - isOfflineError: Whether an error can come from being offline.
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

    /// Waits for a path to the request's server if `error` can come from being offline.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - session: Its session, whose transport's clock the wait goes by.
    ///   - error: Why it failed.
    /// - Returns: `.retry` once there is a path; `.doNotRetry` for other errors and after the longest wait.
    public func retry(_ request: Request, for session: Session, dueTo error: any Error) async -> RetryResult {
        guard isOfflineError(error), let target = ConnectivityTarget(request, failedWith: error),
            !hasGivenUp(request)
        else { return .doNotRetry }
        let clock = session.transport.clock
        let end = maximumWait.map { clock.now.advanced(by: $0) }
        let hasWaited = try? await clock.limited(until: end) { [connectivity] in
            try await connectivity.waitForWay(to: target, clock: clock) { _ in }
        }
        switch hasWaited {
        case true?: return .retry
        // The error is older than the path, or wrong. Twice in a row it is wrong.
        case false?: return Self.saysOffline(error) && request.retryCount == 0 ? .retry : .doNotRetry
        case nil:
            giveUp(request)
            return .doNotRetry
        }
    }

    // A request that is left to its error comes back with it for each of its serializers. It has waited long enough.

    private func hasGivenUp(_ request: Request) -> Bool {
        givenUp.withLock { $0[ObjectIdentifier(request)]?.isOf(request) ?? false }
    }

    private func giveUp(_ request: Request) {
        givenUp.withLock { all in
            all = all.filter { $0.value.request != nil }
            all[ObjectIdentifier(request)] = GivenUp(request)
        }
    }

    /// An attempt that was waited for in vain.
    private struct GivenUp {
        private(set) weak var request: Request?
        private let retryCount: Int

        init(_ request: Request) {
            self.request = request
            retryCount = request.retryCount
        }

        func isOf(_ other: Request) -> Bool { request === other && retryCount == other.retryCount }
    }

    private static func saysOffline(_ error: any Error) -> Bool {
        if let beneath = error.asAFError?.underlyingError { return saysOffline(beneath) }
        return (error as? URLError).map { defaultURLErrorOfflineCodes.contains($0.code) } ?? false
    }
}

extension RequestInterceptor where Self == OfflineRetrier {
    /// A retrier that waits for any network.
    ///
    /// - Parameters:
    ///   - monitor: Makes the monitor.
    ///   - maximumWait: The longest wait for a path, five seconds by default.
    ///   - isOfflineError: Whether an error can come from being offline.
    public static func offlineRetrier(
        monitor: @autoclosure @escaping () -> NetworkPathMonitor = NetworkPathMonitor(),
        maximumWait: DispatchTimeInterval = OfflineRetrier.defaultWait,
        isOfflineError: @escaping @Sendable (_ error: any Error) -> Bool = OfflineRetrier.defaultIsOfflineError
    ) -> OfflineRetrier {
        OfflineRetrier(monitor: monitor(), maximumWait: maximumWait, isOfflineError: isOfflineError)
    }

    /// A retrier that waits for a network of one kind.
    ///
    /// - Parameters:
    ///   - requiredInterfaceType: The kind of interface that packets must leave by.
    ///   - maximumWait: The longest wait for a path, five seconds by default.
    ///   - isOfflineError: Whether an error can come from being offline.
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

    /// A retrier that waits for a network of none of some kinds.
    ///
    /// - Parameters:
    ///   - prohibitedInterfaceTypes: The kinds of interfaces that packets must not leave by.
    ///   - maximumWait: The longest wait for a path, five seconds by default.
    ///   - isOfflineError: Whether an error can come from being offline.
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
