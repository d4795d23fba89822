internal import AirframeWebSocket
internal import AirframeWebSocketProtocol
internal import FoundationEssentials

/// Reads the bytes as a peer's frames. The pieces in which they arrive must not change the result, and no more may
/// come out than went in.
@_cdecl("fuzzWebSocketFrames")
func fuzzWebSocketFrames(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let bytes = Array(UnsafeBufferPointer(start: data, count: count))
    for role in [Role.client, .server] {
        let make = { MessageDecoder(role: role, maximumFrameSize: 1 << 16) }
        let whole = WebSocketTranscript(of: bytes, cuts: [], make())
        for cuts in [Array(0..<count), cuts(of: bytes, seed: seed(of: bytes))] {
            let part = WebSocketTranscript(of: bytes, cuts: cuts, make())
            hold(part == whole, "\(role), in pieces:\n\(part)\nwhole:\n\(whole)")
        }
        hold(whole.size <= count, "the output is longer than the input:\n\(whole)")
    }
    return 0
}

/// Decompresses the bytes as frames, and compresses and decompresses them. Windows and contexts are derived from them.
@_cdecl("fuzzDeflate")
func fuzzDeflate(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let bytes = Array(UnsafeBufferPointer(start: data, count: count))
    let seed = seed(of: bytes)
    let (bits, keepsContext) = (8 + Int(seed % 8), seed >> 8 & 1 == 0)
    let inflater = { MessageInflater(windowBits: bits, keepsContext: keepsContext) }
    // A peer's bytes: pieces are bounded, and cuts change nothing. With a smaller window zlib's check of distances
    // depends on the cuts, so that one reading may be refused earlier.
    let whole = WebSocketTranscript(of: bytes, cuts: [], MessageDecoder(role: .client, decompressor: inflater()))
    let slow = WebSocketTranscript(
        of: bytes, cuts: Array(0..<count), MessageDecoder(role: .client, decompressor: inflater()))
    let isAlike = slow == whole || bits < 15 && slow.isPrefix(of: whole) || bits < 15 && whole.isPrefix(of: slow)
    hold(isAlike, "byte by byte:\n\(slow)\nwhole:\n\(whole)")
    // Our bytes: what is compressed is read back, in one frame or in two, twice with one context.
    let deflater = MessageDeflater(windowBits: bits, keepsContext: keepsContext)
    var encoder = FrameEncoder(role: .server)
    var frames = Data()
    let middle = count == 0 ? 0 : Int((seed >> 16) % UInt64(count))
    for _ in 0..<2 {
        let (first, second) = (Data(bytes[..<middle]), Data(bytes[middle...]))
        guard let start = deflater.compress(first, isLast: false), let end = deflater.compress(second, isLast: true)
        else { return 0 }
        frames += encoder.frame(.binary, start, isFinal: false, isCompressed: true) + encoder.frame(.continuation, end)
    }
    let echo = WebSocketTranscript(of: Array(frames), cuts: [], MessageDecoder(role: .client, decompressor: inflater()))
    let message: [MessageDecoder.Event] = [.start(.binary), .piece(Data(bytes)), .end]
    let messages = message + message
    hold(echo.events == messages && echo.failure == nil, "what was compressed reads as\n\(echo)")
    return 0
}

/// A decoder's result for bytes that arrive in pieces.
private struct WebSocketTranscript: Equatable {
    private(set) var events: [MessageDecoder.Event] = []
    private(set) var failure: ProtocolViolation?
    private var open: (kind: MessageKind, data: Data)?

    /// The bytes of all payloads.
    var size: Int {
        events.reduce(0) { sum, event in
            switch event {
            case .piece(let data), .ping(let data), .pong(let data): sum + data.count
            case .text, .binary, .start, .end, .close: sum
            }
        }
    }

    init(of bytes: [UInt8], cuts: [Int], _ decoder: MessageDecoder) {
        var decoder = decoder
        var start = 0
        for end in cuts + [bytes.count] where end > start {
            decoder.receive(Data(bytes[start..<end]))
            start = end
            do {
                while let event = try decoder.next() {
                    if case .piece(let data) = event {
                        hold(data.count <= 1 << 16, "a piece of \(data.count) bytes")
                    }
                    take(event)
                }
            } catch {
                failure = error
                return
            }
        }
    }

    /// Joins the pieces of each message, because its pieces depend on the cuts. An unfinished message leaves no trace:
    /// the cuts decide how much of it was delivered before a violation.
    private mutating func take(_ event: MessageDecoder.Event) {
        switch event {
        case .start(let kind): open = (kind, Data())
        case .piece(let data): open?.data.append(data)
        case .end:
            if let open { events += [.start(open.kind), .piece(open.data), .end] }
            open = nil
        // Strings are equal whose bytes are not.
        case .text(let text): events += [.start(.text), .piece(Data(text.utf8)), .end]
        case .binary(let data): events += [.start(.binary), .piece(data), .end]
        default: events.append(event)
        }
    }

    /// Whether the decoder refused the bytes, and had read until then what the other read.
    func isPrefix(of other: Self) -> Bool { failure != nil && other.events.starts(with: events) }

    static func == (left: Self, right: Self) -> Bool { left.events == right.events && left.failure == right.failure }
}
