internal import AirframeCore
internal import AirframeReachability
internal import AirframeTransport
internal import Dispatch
internal import Foundation

extension ConnectivityTarget {
    /// The target of the attempt of `request` that failed with `error`; `nil` if it stays on this machine.
    init?(_ request: Request, failedWith error: any Error) {
        guard let urlRequest = request.lastRequest else { return nil }
        // After a redirect the failed server may be another one than the request's.
        let failure = error.asAFError?.transportError ?? error as? TransportError
        guard let origin = failure?.origin ?? Self.origin(of: urlRequest.url) else { return nil }
        self.init(origin, options: request.context.options(for: urlRequest))
    }

    private static func origin(of url: URL?) -> Origin? {
        guard let url, let scheme = url.scheme, let host = url.host(percentEncoded: false) else { return nil }
        return Origin(scheme: scheme, host: host, port: url.port)
    }
}

extension NetworkInterface.Kind {
    /// Whether an interface of this kind satisfies a request for `wanted`.
    func counts(as wanted: Self) -> Bool {
        // Containers have these in place of Ethernet devices.
        self == wanted || (wanted == .ethernet && (self == .bridge || self == .virtualEthernet))
    }
}

extension Duration {
    /// Converts a Dispatch interval; `nil` for `.never`.
    init?(_ interval: DispatchTimeInterval) {
        switch interval {
        case .seconds(let count): self = .seconds(count)
        case .milliseconds(let count): self = .milliseconds(count)
        case .microseconds(let count): self = .microseconds(count)
        case .nanoseconds(let count): self = .nanoseconds(count)
        case .never: return nil
        @unknown default: return nil
        }
    }
}
