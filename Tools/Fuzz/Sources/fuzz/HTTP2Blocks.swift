internal import AirframeSocket
internal import HTTPTypes

/// Answers requests with a few field sections, each of them many times, in frames that the bytes choose. In one piece,
/// the session compares the bytes of a section with the last head's; in pieces of one byte, libnghttp2 decodes each.
@_cdecl("fuzzHTTP2Blocks")
func fuzzHTTP2Blocks(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    var script = BlockScript(UnsafeBufferPointer(start: data, count: count))
    let bytes = script.frames()
    let request = HTTP2RequestHead(HTTPRequest(method: .get, scheme: "https", authority: "a", path: "/"))
    let requests = Array(repeating: request, count: script.streamCount)
    let whole = HTTP2Run(of: bytes, cuts: [], requests)
    for cuts in [Array(0..<bytes.count), cuts(of: bytes, seed: seed(of: bytes))] {
        let part = HTTP2Run(of: bytes, cuts: cuts, requests)
        guard !part.meetsClosedStream, !whole.meetsClosedStream else { continue }
        hold(part == whole, "in pieces:\n\(part)\nwhole:\n\(whole)")
    }
    return 0
}

/// The frames that the bytes of an input describe.
private struct BlockScript {
    /// As many as a client opens before it has received SETTINGS.
    private static let mostStreams = 100

    private var blocks: [[UInt8]] = []
    private var steps: ArraySlice<UInt8>
    /// The number of streams that the frames answer.
    private(set) var streamCount = 0

    /// Reads up to four sections of up to seven fields, each of one byte. A byte for each step follows.
    init(_ input: UnsafeBufferPointer<UInt8>) {
        steps = Array(input)[...]
        guard let first = steps.popFirst() else { return }
        for _ in 0...first & 3 {
            guard let count = steps.popFirst() else { return }
            // Most sections begin with the status 200.
            var block: [UInt8] = count & 0x80 == 0 ? [0x88] : []
            for byte in steps.prefix(Int(count & 7)) { block += Self.field(byte) }
            steps = steps.dropFirst(Int(count & 7))
            blocks.append(block)
        }
    }

    /// Returns a representation (RFC 7541 §6): three bits choose its form, the others its index or value.
    private static func field(_ byte: UInt8) -> [UInt8] {
        let number = byte & 31
        let literal = [1, UInt8(ascii: "a") + number & 3, 1, UInt8(ascii: "0") + number >> 2]
        switch byte >> 5 {
        case 0, 1: return [0x40] + literal
        case 2: return [0x00] + literal
        case 3: return [0x10] + literal
        // Fields of the dynamic table, the newest first, and their names.
        case 4, 5: return [0x80 | (62 + number)]
        case 6: return (number == 0 ? [0x7E] : [0x7F, number - 1]) + [1, UInt8(ascii: "n")]
        // A size update, and sizes that the table does not have.
        default: return [0x20 | number]
        }
    }

    /// Returns the frames. The bits of a step are the section, its form, and the number of streams it answers.
    mutating func frames() -> [UInt8] {
        // A server's first frame is SETTINGS.
        var bytes: [UInt8] = [0, 0, 0, 4, 0, 0, 0, 0, 0]
        while let step = steps.popFirst() {
            guard Int(step & 3) < blocks.count else { continue }
            for _ in 0...step >> 5 where streamCount < Self.mostStreams {
                streamCount += 1
                bytes += Self.response(blocks[Int(step & 3)], step >> 2 & 7, UInt8(2 * streamCount - 1))
            }
        }
        return bytes
    }

    private static func response(_ block: [UInt8], _ form: UInt8, _ low: UInt8) -> [UInt8] {
        func frame(_ type: UInt8, _ flags: UInt8, _ payload: [UInt8]) -> [UInt8] {
            [0, 0, UInt8(payload.count), type, flags, 0, 0, 0, low] + payload
        }
        switch form {
        case 4: return frame(1, 0x4, block) + frame(0, 0x1, [1, 2])
        case 5: return frame(1, 0x4 | 0x8 | 0x1, [2] + block + [0, 0])
        case 6:
            let half = block.count / 2
            return frame(1, 0x1, Array(block[..<half])) + frame(9, 0x4, Array(block[half...]))
        case 7: return frame(1, 0x4, block) + frame(1, 0x4 | 0x1, block)
        default: return frame(1, 0x4 | 0x1, block)
        }
    }
}
