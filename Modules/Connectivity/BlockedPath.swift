internal import AirframeReachability
internal import Synchronization

/// The latest reason why there is no path to a server, shared between a wait and the error that may end it.
final class BlockedPath: Sendable {
    // Guards the latest reason.
    private let latest = Mutex<NetworkPath.Reason?>(nil)

    var reason: NetworkPath.Reason? { latest.withLock(\.self) }

    func record(_ reason: NetworkPath.Reason) { latest.withLock { $0 = reason } }
}

extension NetworkPath.Reason {
    /// The reason as the end of a sentence.
    var explanation: String {
        switch self {
        case .noInterface: "no permitted interface is up"
        case .noCarrier: "the interface has no carrier"
        case .noAddress: "no interface has a routable address"
        case .noRoute: "no route leads there"
        case .routeRefuses: "the route rejects packets"
        case .hostNotFound: "the name has no address"
        }
    }
}
