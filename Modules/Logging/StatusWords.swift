internal import HTTPTypes

extension HTTPResponse.Status {
    /// Code and reason; the reason may be missing (RFC 9112 §4), and is with HTTP/2.
    var words: String { reasonPhrase.isEmpty ? "\(code)" : "\(code) \(reasonPhrase)" }
}
