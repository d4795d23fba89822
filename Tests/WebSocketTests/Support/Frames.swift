import AirframeWebSocketProtocol
import Foundation

/// Bytes from hexadecimal digits; spaces count for nothing.
func hex(_ text: String) -> Data {
    let digits = text.compactMap(\.hexDigitValue)
    return Data(stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
}

/// A frame as a server sends it.
func serverFrame(
    _ opcode: Opcode,
    _ payload: Data = Data(),
    isFinal: Bool = true,
    isCompressed: Bool = false
) -> Data {
    var encoder = FrameEncoder(role: .server)
    return encoder.frame(opcode, payload, isFinal: isFinal, isCompressed: isCompressed)
}

func serverFrame(_ opcode: Opcode, _ text: String, isFinal: Bool = true) -> Data {
    serverFrame(opcode, Data(text.utf8), isFinal: isFinal)
}

extension MessageDecoder {
    /// All events of `bytes`, given in pieces of `length` bytes.
    mutating func events(
        of bytes: Data,
        inPiecesOf length: Int = .max
    ) throws(ProtocolViolation) -> [MessageDecoder.Event] {
        var events: [MessageDecoder.Event] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            receive(Data(rest.prefix(length)))
            rest = rest.dropFirst(length)
            while let event = try next() { events.append(event) }
        }
        return events
    }
}

extension [MessageDecoder.Event] {
    /// The events with the pieces of messages put together.
    var assembled: [MessageDecoder.Event] {
        var result: [MessageDecoder.Event] = []
        var open: (MessageKind, Data)?
        for event in self {
            switch event {
            case .start(let kind): open = (kind, Data())
            case .piece(let data): open?.1.append(data)
            case .end:
                if let (kind, data) = open { result.append(.message(kind, data)) }
                open = nil
            default: result.append(event)
            }
        }
        return result
    }
}

extension MessageDecoder.Event {
    /// A whole message.
    static func message(_ kind: MessageKind, _ data: Data) -> Self {
        kind == .text ? .text(String(decoding: data, as: UTF8.self)) : .binary(data)
    }
}
