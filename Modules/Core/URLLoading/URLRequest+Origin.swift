package import AirframeTransport
internal import Foundation

extension URLRequest {
    /// The origin of the request; `nil` if it has no URL, or one without a host.
    package var origin: Origin? {
        guard let text = url?.absoluteString, let target = RequestTarget(text) else { return nil }
        return Origin(scheme: target.scheme, authority: target.authority)
    }
}
