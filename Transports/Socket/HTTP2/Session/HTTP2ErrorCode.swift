/// An error code of HTTP/2 (RFC 9113 §7).
package struct HTTP2ErrorCode: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The code on the wire.
    package let rawValue: UInt32

    /// Creates a code from its number.
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// NO_ERROR
    package static let noError = HTTP2ErrorCode(rawValue: 0)
    /// PROTOCOL_ERROR
    package static let protocolError = HTTP2ErrorCode(rawValue: 1)
    /// FLOW_CONTROL_ERROR
    package static let flowControlError = HTTP2ErrorCode(rawValue: 3)
    /// FRAME_SIZE_ERROR
    package static let frameSizeError = HTTP2ErrorCode(rawValue: 6)
    /// REFUSED_STREAM
    package static let refusedStream = HTTP2ErrorCode(rawValue: 7)
    /// CANCEL
    package static let cancel = HTTP2ErrorCode(rawValue: 8)
    /// COMPRESSION_ERROR
    package static let compressionError = HTTP2ErrorCode(rawValue: 9)
    /// ENHANCE_YOUR_CALM
    package static let enhanceYourCalm = HTTP2ErrorCode(rawValue: 11)
    /// INADEQUATE_SECURITY
    package static let inadequateSecurity = HTTP2ErrorCode(rawValue: 12)
    /// HTTP_1_1_REQUIRED
    package static let http11Required = HTTP2ErrorCode(rawValue: 13)

    private static let names = [
        "NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT", "STREAM_CLOSED",
        "FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR", "CONNECT_ERROR", "ENHANCE_YOUR_CALM",
        "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
    ]

    /// The name in RFC 9113 §7, or the number of an unknown code.
    package var description: String {
        Int(rawValue) < Self.names.count ? Self.names[Int(rawValue)] : "error code \(rawValue)"
    }
}
