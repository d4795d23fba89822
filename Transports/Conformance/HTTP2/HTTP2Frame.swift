/// An HTTP/2 frame (RFC 9113 §4.1) that is written as given, including frames that no well-behaved server sends.
public struct HTTP2Frame: Sendable, Hashable {
    /// The type, as on the wire.
    public var type: UInt8
    /// The flags, as on the wire.
    public var flags: UInt8
    /// The stream identifier.
    public var stream: UInt32
    /// The payload.
    public var payload: [UInt8]
    /// The length that the frame's head announces; `nil` for the payload's own.
    public var announcedLength: Int?

    /// Creates a frame.
    ///
    /// - Parameters:
    ///   - type: The type, as on the wire.
    ///   - flags: The flags, as on the wire.
    ///   - stream: The stream identifier.
    ///   - payload: The payload.
    ///   - announcedLength: The length that the frame's head announces; `nil` for the payload's own.
    public init(type: UInt8, flags: UInt8 = 0, stream: UInt32 = 0, payload: [UInt8] = [], announcedLength: Int? = nil) {
        self.type = type
        self.flags = flags
        self.stream = stream
        self.payload = payload
        self.announcedLength = announcedLength
    }

    /// The nine bytes of the head, and the payload.
    public var bytes: [UInt8] {
        let length = announcedLength ?? payload.count
        let head = [UInt8(truncatingIfNeeded: length >> 16), UInt8(truncatingIfNeeded: length >> 8)]
        return head + [UInt8(truncatingIfNeeded: length), type, flags] + stream.bigEndianBytes + payload
    }

    /// END_STREAM on DATA and HEADERS; ACK on SETTINGS and PING.
    public static let endStream: UInt8 = 0x1
    /// END_HEADERS on HEADERS, PUSH_PROMISE and CONTINUATION.
    public static let endHeaders: UInt8 = 0x4
    /// PADDED on DATA and HEADERS.
    public static let padded: UInt8 = 0x8
    /// The preface that a client sends (RFC 9113 §3.4).
    public static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
}

// MARK: Frames of each type

extension HTTP2Frame {
    /// Returns a DATA frame (RFC 9113 §6.1).
    ///
    /// - Parameters:
    ///   - text: The content, which is sent in UTF-8.
    ///   - end: Whether the frame ends the stream (END_STREAM).
    ///   - stream: The stream identifier.
    public static func data(_ text: String, end: Bool = false, stream: UInt32 = 1) -> HTTP2Frame {
        data(Array(text.utf8), end: end, stream: stream)
    }

    /// Returns a DATA frame (RFC 9113 §6.1).
    ///
    /// - Parameters:
    ///   - bytes: The content.
    ///   - end: Whether the frame ends the stream (END_STREAM).
    ///   - stream: The stream identifier.
    public static func data(_ bytes: [UInt8], end: Bool = false, stream: UInt32 = 1) -> HTTP2Frame {
        HTTP2Frame(type: 0, flags: end ? endStream : 0, stream: stream, payload: bytes)
    }

    /// Returns a HEADERS frame (RFC 9113 §6.2) with a whole field block.
    ///
    /// - Parameters:
    ///   - fields: The names and values of the fields, in order, pseudo-fields included.
    ///   - end: Whether the frame ends the stream (END_STREAM).
    ///   - stream: The stream identifier.
    public static func headers(_ fields: [(String, String)], end: Bool = false, stream: UInt32 = 1) -> HTTP2Frame {
        let flags = endHeaders | (end ? endStream : 0)
        return HTTP2Frame(type: 1, flags: flags, stream: stream, payload: HPACKBlock(fields).bytes)
    }

    /// Returns the HEADERS frame of a response with status 200.
    ///
    /// - Parameters:
    ///   - fields: The names and values of the fields in addition to `:status`, in order.
    ///   - end: Whether the frame ends the stream (END_STREAM).
    ///   - stream: The stream identifier.
    public static func ok(_ fields: [(String, String)] = [], end: Bool = false, stream: UInt32 = 1) -> HTTP2Frame {
        headers([(":status", "200")] + fields, end: end, stream: stream)
    }

    /// PRIORITY (RFC 9113 §6.3).
    public static func priority(stream: UInt32 = 1, dependency: UInt32 = 0) -> HTTP2Frame {
        HTTP2Frame(type: 2, stream: stream, payload: dependency.bigEndianBytes + [15])
    }

    /// RST_STREAM (RFC 9113 §6.4).
    public static func reset(_ code: UInt32, stream: UInt32 = 1) -> HTTP2Frame {
        HTTP2Frame(type: 3, stream: stream, payload: code.bigEndianBytes)
    }

    /// SETTINGS (RFC 9113 §6.5).
    public static func settings(_ entries: [(UInt16, UInt32)] = []) -> HTTP2Frame {
        let payload = entries.flatMap { [UInt8($0.0 >> 8), UInt8(truncatingIfNeeded: $0.0)] + $0.1.bigEndianBytes }
        return HTTP2Frame(type: 4, payload: payload)
    }

    /// The acknowledgement of SETTINGS.
    public static let settingsAcknowledged = HTTP2Frame(type: 4, flags: 0x1)

    /// PING (RFC 9113 §6.7).
    public static let ping = HTTP2Frame(type: 6, payload: Array("12345678".utf8))

    /// Returns a GOAWAY frame (RFC 9113 §6.8).
    ///
    /// - Parameters:
    ///   - last: The identifier of the last stream that the peer may have processed.
    ///   - code: The error code (RFC 9113 §7).
    ///   - debug: The debug data, which is sent in UTF-8.
    public static func goAway(last: UInt32, _ code: UInt32 = 0, debug: String = "") -> HTTP2Frame {
        HTTP2Frame(type: 7, payload: last.bigEndianBytes + code.bigEndianBytes + Array(debug.utf8))
    }

    /// WINDOW_UPDATE (RFC 9113 §6.9).
    public static func windowUpdate(_ increment: UInt32, stream: UInt32 = 0) -> HTTP2Frame {
        HTTP2Frame(type: 8, stream: stream, payload: increment.bigEndianBytes)
    }

    /// Returns a CONTINUATION frame (RFC 9113 §6.10).
    ///
    /// - Parameters:
    ///   - fields: The names and values of the fields, in order.
    ///   - isLast: Whether the frame ends the field block (END_HEADERS).
    ///   - stream: The stream identifier.
    public static func continuation(
        _ fields: [(String, String)],
        isLast: Bool = true,
        stream: UInt32 = 1
    ) -> HTTP2Frame {
        let flags = isLast ? endHeaders : 0
        return HTTP2Frame(type: 9, flags: flags, stream: stream, payload: HPACKBlock(fields).bytes)
    }
}

extension [HTTP2Frame] {
    /// The bytes of all frames.
    public var bytes: [UInt8] { flatMap(\.bytes) }
}

/// A field block in the simplest form that HPACK knows (RFC 7541 §6.2.2): literals without indexing and without Huffman
/// codes.
struct HPACKBlock {
    private(set) var bytes: [UInt8] = []

    init(_ fields: [(String, String)]) {
        for (name, value) in fields {
            if name == ":status" {
                // The name's index in the static table is 8 (RFC 7541, appendix A).
                bytes.append(0x08)
            } else {
                bytes.append(0x00)
                append(name)
            }
            append(value)
        }
    }

    private mutating func append(_ text: String) {
        var length = text.utf8.count
        if length < 127 {
            bytes.append(UInt8(length))
        } else {
            // RFC 7541 §5.1: seven bits of the prefix, then seven bits in each byte.
            bytes.append(127)
            length -= 127
            while length >= 128 {
                bytes.append(UInt8(length % 128) | 0x80)
                length /= 128
            }
            bytes.append(UInt8(length))
        }
        bytes += Array(text.utf8)
    }
}

extension UInt32 {
    fileprivate var bigEndianBytes: [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: self >> UInt32($0)) }
    }
}
