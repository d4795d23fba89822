internal import AirframeTransport

extension TLSVersion {
    /// Reads `1.2` or `TLS 1.2`.
    init?(configuration text: String) {
        let version = TLSVersion.allCases.first { text == $0.description || "TLS \(text)" == $0.description }
        guard let version else { return nil }
        self = version
    }
}
