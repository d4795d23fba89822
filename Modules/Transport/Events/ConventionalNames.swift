package import HTTPTypes

// Names from OpenTelemetry's semantic conventions for HTTP, for metrics and traces.

extension HTTPRequest.Method {
    /// The name for all methods that are not in the conventions.
    package static var otherName: String { "_OTHER" }

    private static let conventional: Set<HTTPRequest.Method> = [
        .connect, .delete, .get, .head, .options, .patch, .post, .put, .trace,
    ]

    /// The method if it is one of RFC 9110's or `PATCH` (RFC 5789), otherwise `_OTHER`: the number of names must be
    /// bounded.
    package var conventionalName: String { Self.conventional.contains(self) ? rawValue : Self.otherName }
}

extension HTTPVersion {
    /// The version's number alone: `1.1`, `2`.
    package var number: String {
        switch self {
        case .http1_0: "1.0"
        case .http1_1: "1.1"
        case .http2: "2"
        case .http3: "3"
        }
    }
}
