internal import Foundation

/// EUC-JP (WHATWG Encoding §12.1), which Foundation on Linux does not decode.
///
/// Foundation decodes other encodings with the same three character sets: Shift_JIS has JIS X 0208 and half-width
/// Katakana, ISO-2022-JP-1 has JIS X 0212. The bytes are transcoded to these, run by run.
enum EUCJPText {
    static func decode(_ data: Data) -> String? {
        var text = ""
        var run = Data()
        var bytes = data.makeIterator()
        while let lead = bytes.next() {
            switch lead {
            case 0..<0x80:
                run.append(lead)
            case 0x8E:
                guard let kana = bytes.next(), (0xA1...0xDF).contains(kana) else { return nil }
                run.append(kana)
            case 0x8F:
                guard let pair = pair(bytes.next(), bytes.next()), flush(&run, into: &text),
                    let character = decodeJIS0212(pair)
                else { return nil }
                text += character
            default:
                guard let pair = pair(lead, bytes.next()) else { return nil }
                run.append(contentsOf: shiftJIS(pair))
            }
        }
        return flush(&run, into: &text) ? text : nil
    }

    private static func pair(_ first: UInt8?, _ second: UInt8?) -> (row: UInt8, cell: UInt8)? {
        guard let first, let second, (0xA1...0xFE).contains(first), (0xA1...0xFE).contains(second) else { return nil }
        return (first - 0xA0, second - 0xA0)
    }

    /// Returns the same cell of JIS X 0208 in Shift_JIS: two rows of 94 cells have one lead byte.
    private static func shiftJIS(_ place: (row: UInt8, cell: UInt8)) -> [UInt8] {
        let lead = (place.row + 1) / 2 + (place.row <= 62 ? 0x80 : 0xC0)
        let isOdd = !place.row.isMultiple(of: 2)
        let trail = isOdd ? place.cell + (place.cell <= 63 ? 0x3F : 0x40) : place.cell + 0x9E
        return [lead, trail]
    }

    private static func flush(_ run: inout Data, into text: inout String) -> Bool {
        guard !run.isEmpty else { return true }
        guard let part = String(data: run, encoding: .init(rawValue: 0x8000_0420)) else { return false }
        text += part
        run.removeAll(keepingCapacity: true)
        return true
    }

    private static func decodeJIS0212(_ place: (row: UInt8, cell: UInt8)) -> String? {
        let escaped: [UInt8] = [0x1B, 0x24, 0x28, 0x44, place.row + 0x20, place.cell + 0x20, 0x1B, 0x28, 0x42]
        return String(data: Data(escaped), encoding: .init(rawValue: 0x8000_0822))
    }
}
