/// A violation by the peer, with the close code that answers it (RFC 6455 §7.1.7).
package struct ProtocolViolation: Error, Sendable, Hashable {
    /// The code of the Close frame to send (§7.4.1).
    package let closeCode: UInt16
    /// The violation.
    package let message: String
    /// The rule, such as `RFC 6455 §5.2`.
    package let section: String

    package init(closeCode: UInt16, message: String, section: String) {
        self.closeCode = closeCode
        self.message = message
        self.section = section
    }

    /// Returns a violation of framing: code 1002.
    static func protocolError(_ message: String, section: String) -> ProtocolViolation {
        ProtocolViolation(closeCode: 1002, message: message, section: section)
    }

    /// Returns a violation of content that does not match its kind: code 1007.
    package static func invalidPayload(_ message: String, section: String) -> ProtocolViolation {
        ProtocolViolation(closeCode: 1007, message: message, section: section)
    }

    /// Returns a violation of a limit: code 1009.
    package static func tooBig(_ message: String) -> ProtocolViolation {
        ProtocolViolation(closeCode: 1009, message: message, section: "RFC 6455 §7.4.1")
    }
}

extension ProtocolViolation: CustomStringConvertible {
    package var description: String { "\(message) (\(section))" }
}
