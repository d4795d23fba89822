internal import AirframeCore
internal import AirframeTransport
internal import Foundation

/// A part of a form: its header fields and the source of its content.
struct MultipartPart: Sendable {
    enum Content: Sendable {
        case data(Data)
        case file(URL)
        case stream(MultipartStream)
        /// Bytes that only asynchronous code can read.
        case body(RequestBody)

        /// The bytes of a stream, or the body that it wraps: such a stream has no bytes itself.
        init(_ stream: InputStream) {
            self = (stream as? BodyInputStream).map { .body($0.body) } ?? .stream(MultipartStream(stream))
        }
    }

    let headers: HTTPHeaders
    let content: Content
    /// The number of bytes of the content; `nil` if unknown.
    let length: UInt64?

    /// Whether the content can be read more than once.
    var isReplayable: Bool {
        switch content {
        case .data, .file: true
        case .stream: false
        case .body(let body): body.replay != .oneShot
        }
    }

    /// Whether synchronous code can read the content and its length is known.
    var isSynchronous: Bool {
        switch content {
        case .data, .file: true
        case .stream: length != nil
        case .body: false
        }
    }
}

/// A stream that a part owns.
///
/// `@unchecked Sendable` because `InputStream` is not Sendable: it is confined to the one encoding that reads it.
struct MultipartStream: @unchecked Sendable {
    let stream: InputStream

    init(_ stream: InputStream) { self.stream = stream }
}

/// A form as a series of pieces: the framing in memory, and the contents at their source.
enum MultipartPiece: Sendable {
    /// A boundary and a part's header fields (RFC 2046 §5.1.1).
    case framing(Data)
    case part(MultipartPart)

    /// Returns the pieces of a form; none for a form without parts, as with Alamofire.
    static func pieces(of parts: [MultipartPart], boundary: String) -> [MultipartPiece] {
        guard !parts.isEmpty else { return [] }
        var pieces: [MultipartPiece] = []
        pieces.reserveCapacity(2 * parts.count + 1)
        for part in parts {
            let delimiter = pieces.isEmpty ? "--\(boundary)\r\n" : "\r\n--\(boundary)\r\n"
            pieces.append(.framing(Data(delimiter.utf8) + MultipartHeaders.encode(part.headers)))
            pieces.append(.part(part))
        }
        pieces.append(.framing(Data("\r\n--\(boundary)--\r\n".utf8)))
        return pieces
    }

    /// The number of bytes; `nil` if unknown.
    var length: UInt64? {
        switch self {
        case .framing(let data): UInt64(data.count)
        case .part(let part): part.length
        }
    }
}
