internal import AirframeTransport
internal import FoundationEssentials

extension Proxy.Credential {
    /// The value of `Proxy-Authorization` by the Basic scheme (RFC 7617).
    var basicAuthorization: String {
        "Basic \(Data("\(username):\(password)".utf8).base64EncodedString())"
    }
}
