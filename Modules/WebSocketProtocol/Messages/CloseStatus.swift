package import FoundationEssentials

/// The body of a Close frame (RFC 6455 §5.5.1).
package struct CloseStatus: Sendable, Hashable {
    /// The code; `nil` for a frame without one (§7.1.5).
    package let code: UInt16?
    /// The reason, in UTF-8.
    package let reason: Data

    package init(code: UInt16? = nil, reason: Data = Data()) {
        self.code = code
        self.reason = reason
    }

    /// The maximum length of the reason, in bytes: the payload of a control frame without the code.
    package static let maximumReasonLength = FrameHeader.maximumControlLength - 2

    /// Whether a peer may send `code` in a Close frame (§7.4, and IANA's registry for 1012 to 1014).
    package static func isSendable(_ code: UInt16) -> Bool {
        switch code {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }

    /// Parses the payload of a Close frame.
    ///
    /// - Throws: The violation, for a code that must not be sent or a reason that is not UTF-8.
    init(payload: Data) throws(ProtocolViolation) {
        guard !payload.isEmpty else {
            self.init()
            return
        }
        guard payload.count >= 2 else {
            throw .protocolError("a Close frame has a payload of one byte", section: "RFC 6455 §5.5.1")
        }
        let code = UInt16(payload[payload.startIndex]) << 8 | UInt16(payload[payload.startIndex + 1])
        guard Self.isSendable(code) else {
            throw .protocolError("a Close frame has the code \(code)", section: "RFC 6455 §7.4")
        }
        let reason = Data(payload.dropFirst(2))
        var validator = UTF8Validator()
        guard validator.accept(reason), validator.isComplete else {
            throw .invalidPayload("the reason of a Close frame is not UTF-8", section: "RFC 6455 §5.5.1")
        }
        self.init(code: code, reason: reason)
    }

    /// The payload of a Close frame.
    var payload: Data {
        guard let code else { return Data() }
        return Data([UInt8(truncatingIfNeeded: code >> 8), UInt8(truncatingIfNeeded: code)]) + reason
    }
}
