import AirframeConformance
import AirframeSocket
import AirframeTransport
import HTTPTypes
import Testing

/// A server that decodes random requests, and changes the size of its dynamic table now and then.
final class CompressionServer {
    private let server: MemoryServer
    private let inflater = FieldInflater()
    private var numbers: SeededNumbers
    private var heads: [SharedRequestHead] = []
    private var lastHead: SharedRequestHead?
    /// The sections of each stream that have not been received.
    private var expected: [UInt32: [[FieldInflater.Field]]] = [:]
    /// Streams that the client may have reset before their head was framed.
    private var cancelled: Set<UInt32> = []
    /// The table sizes of SETTINGS frames that have not been acknowledged.
    private var sizes: [[UInt32]] = []
    /// The HEADERS frame whose section continues, and the section so far.
    private var partial: (stream: UInt32, block: [UInt8])?

    /// The number of sections received.
    private(set) var sectionCount = 0
    /// The number of requests whose head the session had remembered.
    private(set) var recalledCount = 0

    init(_ seed: Int) throws {
        numbers = SeededNumbers(seed)
        server = try MemoryServer()
    }

    /// The number of sections that were to be sent and have not been received.
    var pendingCount: Int { expected.filter { !cancelled.contains($0.key) }.values.reduce(0) { $0 + $1.count } }

    /// Sends a request, or changes the table.
    func step() throws {
        server.now += 1_000_000_000
        if numbers.chance(8) { changeTable() }
        try request()
        if numbers.chance(70) { try drain() }
    }

    // MARK: The table

    private func changeTable() {
        for _ in 0..<(numbers.chance(20) ? 2 : 1) {
            let count = numbers.chance(40) ? 2 : 1
            let all: [UInt32] = [0, 31, 70, 200, 1_000, 4_095, 4_096, 4_096, 10_000, .max]
            let changes = (0..<count).map { _ in numbers.pick(all) }
            sizes.append(changes)
            server.receive([.settings(changes.map { (1, $0) })])
        }
    }

    // MARK: Requests

    private func request() throws {
        let head = nextHead()
        if let stream = try server.session.reopen(head)?.stream {
            recalledCount += 1
            return note(stream, [Self.section(head.head, nil)])
        }
        let hasContent = numbers.chance(20)
        let length: Int64? = hasContent && numbers.chance(50) ? 3 : nil
        let stream = try server.open(head, hasContent: hasContent, contentLength: length)
        guard hasContent else { return note(stream, [Self.section(head.head, nil)]) }
        let trailers: HTTPFields? = numbers.chance(60) ? makeFields() : nil
        _ = Array("abc".utf8).withUnsafeBytes { server.session.send($0, on: stream) }
        server.session.finish(stream, trailers: trailers)
        let sections = trailers.map { $0.isEmpty ? [] : [Self.fields($0)] } ?? []
        note(stream, [Self.section(head.head, length)] + sections)
    }

    /// Returns the head of the last request, an earlier one, an equal one, or a new one.
    private func nextHead() -> SharedRequestHead {
        if let lastHead, numbers.chance(70) {
            return numbers.chance(80) ? lastHead : SharedRequestHead(lastHead.head)
        }
        let head = numbers.chance(60) && !heads.isEmpty ? numbers.pick(heads) : makeHead()
        lastHead = head
        return head
    }

    private func note(_ stream: HTTP2StreamState, _ sections: [[FieldInflater.Field]]) {
        let id = UInt32(stream.id)
        expected[id] = sections
        guard numbers.chance(5) else { return }
        cancelled.insert(id)
        server.session.reset(stream)
    }

    private func makeHead() -> SharedRequestHead {
        let method: HTTPRequest.Method = numbers.chance(80) ? .get : .post
        var request = HTTPRequest(
            method: method,
            scheme: "https",
            authority: numbers.pick(["a.test", "b.test"]),
            path: numbers.pick(["/", "/one", "/two?three"])
        )
        request.headerFields = makeRequestFields()
        let head = SharedRequestHead(request)
        if heads.count < 6 { heads.append(head) } else { heads[Int.random(in: 0..<6, using: &numbers)] = head }
        return head
    }

    private func makeFields() -> HTTPFields {
        let names = ["accept", "user-agent", "x-a", "x-b", "x-c", "authorization", "cookie", "x-api-key"]
        var fields = HTTPFields()
        for _ in 0..<Int.random(in: 0...5, using: &numbers) {
            guard let name = HTTPField.Name(numbers.pick(names)) else { continue }
            var field = HTTPField(name: name, value: makeValue())
            if numbers.chance(10) { field.indexingStrategy = .disallow }
            fields.append(field)
        }
        return fields
    }

    /// Returns the fields of a request. Some have a `Host`, which is not one of them on the wire.
    private func makeRequestFields() -> HTTPFields {
        var fields = makeFields()
        guard numbers.chance(20), let name = HTTPField.Name("Host") else { return fields }
        fields.append(HTTPField(name: name, value: numbers.pick(["c.test", "d.test:81"])))
        return fields
    }

    private func makeValue() -> String {
        switch Int.random(in: 0..<100, using: &numbers) {
        case 0: String(repeating: numbers.pick(["a", "~", "\u{7C}"]), count: 20_000)
        case 1..<4: String(repeating: "b", count: Int.random(in: 1_000...5_000, using: &numbers))
        case 4..<10: ""
        case 10..<40: "\(UInt16.random(in: 0...UInt16.max, using: &numbers))"
        default: numbers.pick(["1", "2", "a longer value", "*/*", "été"])
        }
    }

    /// The section of a request (RFC 9113 §8.3.1).
    private static func section(_ head: HTTPRequest, _ length: Int64?) -> [FieldInflater.Field] {
        let host = head.headerFields.first { $0.name.canonicalName == "host" }?.value
        let pseudo = [
            (":method", head.method.rawValue), (":scheme", head.scheme), (":authority", host ?? head.authority),
            (":path", head.path),
        ]
        let lengths = length.map { [FieldInflater.Field(name: "content-length", value: "\($0)")] } ?? []
        return pseudo.map { FieldInflater.Field(name: $0.0, value: $0.1 ?? "") } + fields(head.headerFields) + lengths
    }

    private static func fields(_ fields: HTTPFields) -> [FieldInflater.Field] {
        fields.filter { $0.name.canonicalName != "host" }.map { field in
            let isSecret = ["authorization", "cookie", "x-api-key"].contains(field.name.canonicalName)
            return FieldInflater.Field(
                name: field.name.canonicalName,
                value: field.value,
                isNeverIndexed: isSecret || field.indexingStrategy == .disallow
            )
        }
    }

    // MARK: The server

    /// Receives what the session has written, and answers the requests.
    func drain() throws {
        for frame in server.frames() {
            switch frame.type {
            case 1, 9:
                let block = (partial?.block ?? []) + frame.payload
                partial = (frame.stream, block)
                #expect(frame.payload.count <= 16_384)
                guard frame.flags & HTTP2Frame.endHeaders != 0 else { continue }
                partial = nil
                try receive(block, frame.stream)
            case 4 where frame.flags & 1 != 0:
                for size in sizes.removeFirst() { inflater.changeTableSize(to: size) }
            default: break
            }
            #expect(partial == nil || frame.type == 1 || frame.type == 9)
        }
        let whole = expected.filter { $0.value.isEmpty }.keys.sorted()
        server.receive(whole.map { .block([0x88], flags: HTTP2Frame.endHeaders | HTTP2Frame.endStream, stream: $0) })
        for id in whole { expected[id] = nil }
        let names = Set(inflater.table.map(\.name))
        #expect(names.isDisjoint(with: ["authorization", "cookie", "x-api-key"]))
    }

    private func receive(_ block: [UInt8], _ stream: UInt32) throws {
        let fields = try #require(inflater.decode(block), "the section is malformed")
        let sections = try #require(expected[stream]?.isEmpty == false ? expected[stream] : nil)
        expected[stream] = Array(sections.dropFirst())
        sectionCount += 1
        guard fields == sections[0] else { throw PeerFault(description: "\(fields) instead of \(sections[0])") }
    }
}

extension MemoryServer {
    /// Opens a stream with a head that the session may remember.
    func open(
        _ head: SharedRequestHead,
        hasContent: Bool = false,
        contentLength: Int64? = nil
    ) throws -> HTTP2StreamState {
        var request = HTTP2RequestHead(head.head, contentLength: contentLength, hasContent: hasContent)
        if contentLength == nil, !hasContent { request.shared = head }
        return try session.open(request).stream
    }

    /// Opens a stream. Returns the first HEADERS frame's part of the section.
    func block(of head: SharedRequestHead) throws -> [UInt8] {
        _ = try open(head)
        return frames().first { $0.type == 1 }?.payload ?? []
    }
}
