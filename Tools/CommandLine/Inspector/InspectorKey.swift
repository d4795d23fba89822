/// A key of the inspector's screen.
package enum InspectorKey: Hashable, Sendable {
    case up
    case down
    case pageUp
    case pageDown
    case first
    case last
    case enter
    case escape
    case backspace
    case character(Character)

    /// The keys in the bytes from a terminal (ECMA-48; xterm's cursor keys).
    package static func keys(in bytes: [UInt8]) -> [InspectorKey] {
        var rest = Substring(String(decoding: bytes, as: UTF8.self))
        var keys: [InspectorKey] = []
        while !rest.isEmpty {
            if let (sequence, key) = sequences.first(where: { rest.hasPrefix($0.0) }) {
                rest = rest.dropFirst(sequence.count)
                keys.append(key)
                continue
            }
            switch rest.removeFirst() {
            case "\r", "\n", "\r\n": keys.append(.enter)
            case "\u{1B}": keys.append(.escape)
            case "\u{7F}", "\u{8}": keys.append(.backspace)
            case let character where !(character.unicodeScalars.first?.actsOnTerminals ?? true):
                keys.append(.character(character))
            default: break
            }
        }
        return keys
    }

    private static let sequences: [(String, InspectorKey)] = [
        ("\u{1B}[A", .up), ("\u{1B}OA", .up), ("\u{1B}[B", .down), ("\u{1B}OB", .down),
        ("\u{1B}[5~", .pageUp), ("\u{1B}[6~", .pageDown), ("\u{1B}[H", .first), ("\u{1B}[F", .last),
    ]
}
