internal import AirframeWebSocketProtocol

/// The negotiated parameters of permessage-deflate (RFC 7692 §7.1).
package struct DeflateParameters: Sendable, Hashable {
    package static let name = "permessage-deflate"

    package var clientWindowBits = 15
    package var serverWindowBits = 15
    package var clientForgetsContext = false
    package var serverForgetsContext = false

    package init() {}
}

extension DeflateParameters {
    /// Returns the offer for `compression`.
    static func offer(_ compression: WebSocket.Compression) -> ExtensionOffer {
        var offer = ExtensionOffer(name)
        if compression.serverForgetsContext { offer.parameters.append(.init("server_no_context_takeover")) }
        if compression.clientForgetsContext { offer.parameters.append(.init("client_no_context_takeover")) }
        if compression.serverMaximumWindowBits < 15 {
            offer.parameters.append(.init("server_max_window_bits", String(compression.serverMaximumWindowBits)))
        }
        // Without a value, the server may choose any window (§7.1.2.2).
        let bits = compression.clientMaximumWindowBits
        offer.parameters.append(.init("client_max_window_bits", bits < 15 ? String(bits) : nil))
        return offer
    }

    /// Parses the server's response to an offer.
    ///
    /// - Throws: The violation, if a parameter is unknown, repeated, malformed or not acceptable for the offer (§7.1).
    init(
        _ answer: ExtensionOffer,
        to compression: WebSocket.Compression
    ) throws(ProtocolViolation) {
        clientWindowBits = compression.clientMaximumWindowBits
        clientForgetsContext = compression.clientForgetsContext
        var seen: Set<String> = []
        for parameter in answer.parameters {
            guard seen.insert(parameter.name).inserted else { throw Self.refused(parameter, "is repeated") }
            switch parameter.name {
            case "server_no_context_takeover":
                guard parameter.value == nil else { throw Self.refused(parameter, "has a value") }
                serverForgetsContext = true
            case "client_no_context_takeover":
                guard parameter.value == nil else { throw Self.refused(parameter, "has a value") }
                clientForgetsContext = true
            case "server_max_window_bits":
                serverWindowBits = try Self.bits(parameter, upTo: compression.serverMaximumWindowBits)
            case "client_max_window_bits":
                clientWindowBits = try Self.bits(parameter, upTo: compression.clientMaximumWindowBits)
            default: throw Self.refused(parameter, "is unknown")
            }
        }
        guard serverForgetsContext || !compression.serverForgetsContext else {
            throw Self.missing("server_no_context_takeover")
        }
        guard serverWindowBits <= compression.serverMaximumWindowBits else {
            throw Self.missing("server_max_window_bits")
        }
    }

    private static func bits(
        _ parameter: ExtensionOffer.Parameter,
        upTo maximum: Int
    ) throws(ProtocolViolation) -> Int {
        // Not a range, which traps for a maximum below 8: the offer's properties are not validated.
        guard let value = parameter.value, let bits = Int(value), String(bits) == value, bits >= 8, bits <= maximum
        else { throw refused(parameter, "is not a number from 8 to \(maximum)") }
        return bits
    }

    private static func refused(_ parameter: ExtensionOffer.Parameter, _ reason: String) -> ProtocolViolation {
        let text = parameter.name + (parameter.value.map { "=" + $0 } ?? "")
        return ProtocolViolation(
            closeCode: 1010,
            message: "the server's parameter \(text.debugDescription) of permessage-deflate \(reason)",
            section: "RFC 7692 §7.1"
        )
    }

    private static func missing(_ name: String) -> ProtocolViolation {
        ProtocolViolation(
            closeCode: 1010,
            message: "the server accepted permessage-deflate without \(name), which was requested",
            section: "RFC 7692 §7.1"
        )
    }
}
