import AirframeConformance
import AirframeSocket
import HTTPTypes
import Testing

/// A server that answers with random field sections, and checks the responses against plain decoding.
final class BlockServer {
    typealias Fields = [FieldInflater.Field]

    /// What a stream must report.
    private struct Expectation {
        let stream: HTTP2StreamState
        var informational: [Int] = []
        var head: Fields?
        var trailers: Fields?
        var content = ""
        /// Whether the response violates a rule.
        var isMalformed = false
    }

    private let server: MemoryServer
    private let inflater = FieldInflater()
    private var blocks: BlockSource
    private var numbers: SeededNumbers
    /// The bytes of one or more reads.
    private var bytes: [UInt8] = []
    private var expectations: [Expectation] = []
    /// Streams that the client resets before it receives the bytes, with RST_STREAM not yet written.
    private var lateResets: [HTTP2StreamState] = []

    /// The number of responses that were checked.
    private(set) var responseCount = 0
    /// Whether the server has sent a malformed section, which ends the connection.
    private(set) var hasFailed = false

    init(_ seed: UInt64) throws {
        numbers = SeededNumbers(Int(truncatingIfNeeded: seed >> 1))
        blocks = BlockSource(numbers)
        server = try MemoryServer()
    }

    /// Sends one or more responses.
    func step() throws {
        server.now += 1_000_000_000
        (bytes, expectations, lateResets) = ([], [], [])
        for _ in 0..<(numbers.chance(20) ? Int.random(in: 2...5, using: &numbers) : 1) {
            if numbers.chance(4) { try answerReset() } else { try answer() }
        }
        // Streams must be opened before their responses.
        _ = server.frames()
        for stream in lateResets { server.session.reset(stream) }
        send()
        guard !hasFailed else {
            #expect(server.session.failure != nil, "a malformed section was accepted")
            return
        }
        #expect(server.session.failure == nil)
        for expectation in expectations { check(expectation) }
        #expect(server.session.streamCount == 0)
        _ = server.frames()
        responseCount += expectations.count
    }

    /// Sends the bytes in one read, or cut anywhere.
    private func send() {
        var start = 0
        if numbers.chance(25) {
            let cuts = (0..<Int.random(in: 1...4, using: &numbers)).map { _ in
                Int.random(in: 0...bytes.count, using: &numbers)
            }
            for end in cuts.sorted() where end > start {
                server.receive(bytes: Array(bytes[start..<end]))
                start = end
            }
        }
        server.receive(bytes: Array(bytes[start...]))
    }

    // MARK: Responses

    private func answer() throws {
        let isHead = numbers.chance(5)
        let stream = try server.open(isHead ? .head : .get)
        let id = UInt32(stream.id)
        var expectation = Expectation(stream: stream)
        if numbers.chance(8) { inform(id, &expectation) }
        let isShort = isHead || numbers.chance(15)
        let (block, fields) = decode(blocks.head(inflater.table))
        section(block, isShort, id)
        expectation.head = fields
        expectation.isMalformed = expectation.isMalformed || Self.isMalformed(fields)
        if numbers.chance(5) { bytes += HTTP2Frame.ping.bytes }
        if !isShort {
            let hasTrailers = numbers.chance(10)
            bytes += HTTP2Frame.data("ok", end: !hasTrailers, stream: id).bytes
            expectation.content = "ok"
            if hasTrailers {
                let (block, fields) = decode(blocks.trailers(inflater.table))
                section(block, true, id)
                expectation.trailers = fields
                let hasPseudo = fields.contains { $0.name.hasPrefix(":") }
                expectation.isMalformed = expectation.isMalformed || hasPseudo
            }
        }
        expectations.append(expectation)
    }

    private func inform(_ id: UInt32, _ expectation: inout Expectation) {
        let (block, fields) = decode(blocks.informational(inflater.table))
        section(block, false, id)
        expectation.informational = [103]
        expectation.isMalformed = Self.isMalformed(fields)
    }

    /// Answers a stream that the client has reset.
    private func answerReset() throws {
        let stream = try server.open()
        _ = server.frames()
        if numbers.chance(50) { server.session.reset(stream) } else { lateResets.append(stream) }
        let (block, _) = decode(blocks.head(inflater.table))
        section(block, numbers.chance(50), UInt32(stream.id))
    }

    private func decode(_ block: [UInt8]) -> ([UInt8], Fields) {
        guard !hasFailed else { return (block, []) }
        guard let fields = inflater.decode(block) else {
            hasFailed = true
            return (block, [])
        }
        return (block, fields)
    }

    private static func isMalformed(_ fields: Fields) -> Bool {
        fields.first?.name != ":status" || fields.dropFirst().contains { $0.name.hasPrefix(":") }
    }

    /// Appends a section as HEADERS, now and then with padding, a priority or CONTINUATION.
    private func section(_ block: [UInt8], _ ends: Bool, _ id: UInt32) {
        let end: UInt8 = ends ? HTTP2Frame.endStream : 0
        switch Int.random(in: 0..<100, using: &numbers) {
        case 0..<5:
            let payload = [3] + block + [0, 0, 0]
            let flags = HTTP2Frame.endHeaders | HTTP2Frame.padded | end
            bytes += HTTP2Frame(type: 1, flags: flags, stream: id, payload: payload).bytes
        case 5..<10:
            let payload = [0, 0, 0, 0, 15] + block
            bytes += HTTP2Frame(type: 1, flags: HTTP2Frame.endHeaders | 0x20 | end, stream: id, payload: payload).bytes
        case 10..<15:
            let cut = Int.random(in: 0...block.count, using: &numbers)
            bytes += HTTP2Frame(type: 1, flags: end, stream: id, payload: Array(block[..<cut])).bytes
            let rest = Array(block[cut...])
            bytes += HTTP2Frame(type: 9, flags: HTTP2Frame.endHeaders, stream: id, payload: rest).bytes
        default:
            bytes += HTTP2Frame.block(block, flags: HTTP2Frame.endHeaders | end, stream: id).bytes
        }
    }

    // MARK: Checks

    private func check(_ expectation: Expectation) {
        let transcript = StreamTranscript(expectation.stream)
        guard !expectation.isMalformed else {
            #expect(transcript.failure != nil && !transcript.isWhole)
            return
        }
        #expect(transcript.failure == nil && transcript.isWhole)
        #expect(transcript.informational == expectation.informational)
        #expect(transcript.text == expectation.content)
        #expect(Self.fields(transcript.status, transcript.fields) == expectation.head?.map(Self.plain))
        let trailers = expectation.trailers ?? []
        #expect(Self.fields(nil, transcript.trailers ?? [:]) == trailers.map(Self.plain))
    }

    private static func fields(_ status: Int?, _ fields: HTTPFields) -> Fields {
        let first = status.map { [FieldInflater.Field(name: ":status", value: "\($0)")] } ?? []
        return first + fields.map { .init(name: $0.name.canonicalName, value: $0.value) }
    }

    private static func plain(_ field: FieldInflater.Field) -> FieldInflater.Field {
        .init(name: field.name, value: field.value)
    }
}
