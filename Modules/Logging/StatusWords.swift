internal import HTTPTypes

extension HTTPResponse.Status {
    /// Returns code and reason; the reason may be missing (RFC 9112 §4), as it is over HTTP/2.
    var words: String { reasonPhrase.isEmpty ? "\(code)" : "\(code) \(reasonPhrase)" }
}
