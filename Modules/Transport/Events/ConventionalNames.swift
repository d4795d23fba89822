package import HTTPTypes

// How OpenTelemetry's semantic conventions for HTTP name things, for metrics and traces alike.

extension HTTPRequest.Method {
    /// What stands for a value that is not one of the few that a name may have.
    package static var otherName: String { "_OTHER" }

    private static let conventional: Set<HTTPRequest.Method> = [
        .connect, .delete, .get, .head, .options, .patch, .post, .put, .trace,
    ]

    /// The method, if it is one of RFC 9110's or `PATCH` (RFC 5789); `_OTHER` if not: anybody can make up methods.
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
