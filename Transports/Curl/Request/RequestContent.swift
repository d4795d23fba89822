internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes

/// How a request's content reaches libcurl.
enum RequestContent: Sendable {
    /// None.
    case none
    /// Small, and in memory: libcurl copies it and sends it together with the head.
    case memory(Data)
    /// Pulled as the connection takes it. `length` is `nil` when chunks (RFC 9112 §7.1) must frame it.
    case upload(RequestBody, length: Int64?)

    // libcurl itself sends up to 64 KiB with the head.
    private static let smallSize = 32 * 1024

    /// - Throws: ``TransportError/Code/invalidRequest`` for content where there can be none.
    init(_ request: borrowing TransportRequest, origin: Origin) throws(TransportError) {
        let hasTrailers = request.body.trailers != nil
        switch request.body.content {
        case .none where !hasTrailers:
            self = .none
            return
        case .bytes(let data) where !hasTrailers && data.count <= Self.smallSize:
            self = .memory(data)
        default:
            // Trailers need chunks, whatever is known of the length.
            self = .upload(request.body, length: hasTrailers ? nil : request.body.length)
        }
        guard request.head.method != .head else {
            throw RequestPlan.invalid("a HEAD request with content has no meaning that servers agree on", origin)
        }
    }

    /// The length that the head announces, or `nil` when it announces none.
    var announcedLength: Int64? {
        switch self {
        case .none: nil
        case .memory(let data): Int64(data.count)
        case .upload(_, let length): length
        }
    }

    var isNone: Bool {
        if case .none = self { true } else { false }
    }
}
