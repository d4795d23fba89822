internal import AirframeReachability
internal import AirframeTransport
internal import Synchronization

/// What is in the way of a request that waits.
final class Obstacle: Sendable {
    // Guards the reason that was told last.
    private let noted = Mutex<NetworkPath.Reason?>(nil)

    var reason: NetworkPath.Reason? { noted.withLock(\.self) }

    func note(_ reason: NetworkPath.Reason) { noted.withLock { $0 = reason } }
}

extension NetworkPath.Reason {
    /// The reason as the end of a sentence.
    var words: String {
        switch self {
        case .noInterface: "no interface that may be used is switched on"
        case .noCarrier: "the interface has no carrier"
        case .noAddress: "no interface has an address beyond its link"
        case .noRoute: "no route leads there"
        case .routeRefuses: "the route refuses packets"
        case .hostNotFound: "the name has no address"
        }
    }
}

extension TransportError {
    /// Whether the lack of a network can be behind the failure; only the kernel's routes tell whether it is.
    var mayComeFromBeingOffline: Bool {
        switch code {
        case .networkUnreachable, .nameResolutionFailed, .connectFailed, .proxyFailed: true
        case .timedOut: [.resolve, .connect, .proxy].contains(phase)
        default: false
        }
    }
}
