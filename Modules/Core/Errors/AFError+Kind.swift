internal import AirframeTransport

extension AFError {
    /// What kind of failure it is, in a word, for those who count: the transport's code, the status that was refused, or
    /// the name of the case. There are few of them.
    package var kind: String {
        if let transportError { return transportError.code.rawValue }
        if isExplicitlyCancelledError { return TransportError.Code.cancelled.rawValue }
        if isResponseValidationError, let responseCode { return String(responseCode) }
        return Mirror(reflecting: self).children.first?.label ?? "sessionDeinitialized"
    }
}
