import AirframeConformance
import AirframeWebSocketProtocol
import Foundation

/// A server that accepts WebSockets.
enum WebSocketAnswers {
    /// Answers the handshake of each connection, and then runs `script`.
    static func accepting(
        fields: String = "",
        _ script: @escaping @Sendable (ScriptedConnection) throws -> Void
    ) throws -> ScriptedServer {
        try ScriptedServer { connection in
            let lines = try connection.readHead().components(separatedBy: "\r\n")
            let key = lines.first { $0.lowercased().hasPrefix("sec-websocket-key:") }?.dropFirst(18) ?? ""
            let accept = HandshakeKey(key.trimmingCharacters(in: .whitespaces)).accept
            try connection.send(
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    + "Sec-WebSocket-Accept: \(accept)\r\n\(fields)\r\n")
            try script(connection)
        }
    }

    /// A text message of up to 125 bytes in one frame.
    static func text(_ text: String) -> [UInt8] { [0x81, UInt8(text.utf8.count)] + Array(text.utf8) }

    /// A binary message of up to 125 bytes in one frame.
    static func binary(_ bytes: [UInt8]) -> [UInt8] { [0x82, UInt8(bytes.count)] + bytes }

    /// A Close frame with code 1000.
    static let close: [UInt8] = [0x88, 0x02, 0x03, 0xE8]
}
