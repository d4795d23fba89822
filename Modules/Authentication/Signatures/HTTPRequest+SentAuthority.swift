internal import HTTPTypes

extension HTTPRequest {
    /// The authority that the server receives: a request's own `Host` overrides that of its URL (RFC 9110 §7.2).
    var sentAuthority: String {
        HTTPField.Name("Host").flatMap { headerFields[$0] } ?? authority ?? ""
    }
}
