internal import HTTPTypes

/// The methods that frame a message or its answer in their own way.
///
/// Found out once for a head: each question to `HTTPRequest` copies strings out of it, and each comparison costs as
/// much.
enum HTTP1Method {
    case get
    case head
    case options
    case trace
    case connect
    /// One whose content has a meaning, so that its absence is told (RFC 9110 §8.6).
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
