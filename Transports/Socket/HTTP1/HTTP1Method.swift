internal import HTTPTypes

/// The methods with framing rules of their own.
///
/// Determined once for a head, because each access to `HTTPRequest.method` copies its strings.
enum HTTP1Method {
    case get
    case head
    case options
    case trace
    case connect
    /// A method that defines a meaning for content, so that the absence of content is declared (RFC 9110 §8.6).
    case contentful
    case other

    init(_ method: HTTPRequest.Method) {
        self =
            switch method {
            case .get: .get
            case .post, .put, .patch: .contentful
            case .head: .head
            case .options: .options
            case .trace: .trace
            case .connect: .connect
            default: .other
            }
    }
}
