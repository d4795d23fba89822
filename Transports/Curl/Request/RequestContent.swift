internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes

/// The way in which libcurl gets a request's content.
enum RequestContent: Sendable {
    /// There is no content.
    case none
    /// Small content in memory, which libcurl copies and sends together with the head.
    case memory(Data)
    /// Content that is pulled as the connection takes it. `length` is `nil` if chunks frame it (RFC 9112 §7.1).
    case upload(RequestBody, length: Int64?)

    // libcurl itself sends up to 64 KiB with the head.
    private static let smallSize = 32 * 1024

    /// - Throws: ``TransportError/Code/invalidRequest`` for a HEAD or TRACE request with content.
    init(_ request: borrowing TransportRequest, origin: Origin) throws(TransportError) {
        let hasTrailers = request.body.trailers != nil
        switch request.body.content {
        case .none where !hasTrailers:
            self = .none
            return
        case .bytes(let data) where !hasTrailers && data.count <= Self.smallSize:
            self = .memory(data)
        default:
            // Trailers need chunks, even if the length is known.
            self = .upload(request.body, length: hasTrailers ? nil : request.body.length)
        }
        switch request.head.method {
        case .head:
            throw RequestPlan.invalid("content of a HEAD request has no defined meaning (RFC 9110 §9.3.2)", origin)
        case .trace: throw RequestPlan.invalid("a TRACE request cannot have content (RFC 9110 §9.3.8)", origin)
        default: break
        }
    }

    /// The length that the head announces, or `nil` if it announces none.
    var announcedLength: Int64? {
        switch self {
        case .none: nil
        case .memory(let data): Int64(data.count)
        case .upload(_, let length): length
        }
    }

    /// Whether the request ends with its head: it has no content, or content of length 0.
    var isEmpty: Bool { isNone || announcedLength == 0 }

    var isNone: Bool {
        if case .none = self { true } else { false }
    }
}
