internal import AirframeTransport

extension TransportError {
    /// Whether a missing network can be the cause. Only the kernel's routes can confirm it.
    var canComeFromBeingOffline: Bool {
        switch code {
        case .networkUnreachable, .nameResolutionFailed, .connectFailed, .proxyFailed: true
        case .timedOut: [.resolve, .connect, .proxy].contains(phase)
        default: false
        }
    }
}
