import AirframeTransport
import FoundationEssentials
import HTTPTypes
import Testing

@Suite("Collecting a response's body", .timeLimit(.minutes(1)))
struct ResponseBodyCollectTests {
    /// Chunks of a body, the length that its head announced, and a limit.
    struct Case: Sendable, CustomTestStringConvertible {
        let chunks: [Int]
        let announced: Int64?
        let limit: Int

        var testDescription: String { "\(chunks) announced as \(announced.map(String.init) ?? "-"), limit \(limit)" }
        var body: ResponseBody { ResponseBody(source, expectedLength: announced) }
        var source: ScriptedSource { ScriptedSource(chunks: chunks.map { [UInt8](repeating: 7, count: $0) }) }
    }

    static let fitting = [
        Case(chunks: [], announced: nil, limit: 0), Case(chunks: [], announced: 0, limit: 0),
        Case(chunks: [], announced: nil, limit: -1), Case(chunks: [], announced: 5, limit: 5),
        Case(chunks: [4], announced: nil, limit: 4), Case(chunks: [4], announced: 4, limit: 4),
        Case(chunks: [1, 2, 3], announced: 6, limit: 6), Case(chunks: [1, 2, 3], announced: nil, limit: .max),
        Case(chunks: [3, 3], announced: 1, limit: 6), Case(chunks: [3, 3], announced: 0, limit: 6),
        Case(chunks: [1, 1], announced: .max, limit: .max), Case(chunks: [1, 1], announced: -9, limit: 2),
    ]

    @Test("brings all bytes where they fit the limit, whatever was announced", arguments: fitting)
    func fits(_ example: Case) async throws {
        let data = try await example.body.collect(upTo: example.limit)
        #expect(data == Data(repeating: 7, count: example.chunks.reduce(0, +)))
    }

    static let tooLong = [
        Case(chunks: [1], announced: nil, limit: 0), Case(chunks: [1], announced: nil, limit: -1),
        Case(chunks: [4], announced: nil, limit: 3), Case(chunks: [3, 1], announced: nil, limit: 3),
        Case(chunks: [1, 1, 1, 1], announced: 2, limit: 3), Case(chunks: [4], announced: 4, limit: 3),
        Case(chunks: [], announced: 4, limit: 3), Case(chunks: [1], announced: .max, limit: 1),
        Case(chunks: [1], announced: nil, limit: .min),
    ]

    @Test("fails if the body or its declared length exceeds the limit", arguments: tooLong)
    func fails(_ example: Case) async throws {
        let source = example.source
        let body = ResponseBody(source, expectedLength: example.announced)
        let error = await #expect(throws: TransportError.self) { try await body.collect(upTo: example.limit) }
        #expect(error?.code == .bodyTooLarge)
        #expect(error?.message.contains("\(example.limit) bytes") == true)
        #expect(source.cancellations == 1, "the exchange ends")
        let again = await #expect(throws: TransportError.self) { try await body.next() }
        #expect(again?.code == .bodyTooLarge, "what is left does not look like a whole body")
    }

    @Test("reads nothing of a body whose announced length exceeds the limit")
    func readsNothing() async {
        let source = ScriptedSource(chunks: [[1]])
        await #expect(throws: TransportError.self) {
            try await ResponseBody(source, expectedLength: 100).collect(upTo: 10)
        }
        #expect(source.reads == 0)
    }

    @Test("returns the rest of a body that was partly read")
    func rest() async throws {
        let body = ResponseBody(ScriptedSource(chunks: [[1], [2], [3]]))
        _ = try await body.next()
        #expect(try await body.collect(upTo: 2) == Data([2, 3]))
        #expect(try await body.collect(upTo: 2).isEmpty)
    }

    @Test("throws the error of a body that fails")
    func breaksOff() async {
        let body = ResponseBody(ScriptedSource([.bytes([1]), .fail(lost)]))
        let error = await #expect(throws: TransportError.self) { try await body.collect(upTo: 10) }
        #expect(error?.code == .connectionLost)
    }

    @Test("enforces the limit on a body in memory, too")
    func whole() async throws {
        #expect(try await ResponseBody(Data([1, 2])).collect(upTo: 2) == Data([1, 2]))
        let error = await #expect(throws: TransportError.self) {
            try await ResponseBody(Data([1, 2, 3])).collect(upTo: 2)
        }
        #expect(error?.code == .bodyTooLarge)
    }

    @Test("enforces the limit on a body in memory whose length was not announced")
    func unannounced() async throws {
        let trailers: HTTPFields = [.eTag: "\"end\""]
        let fitting = ResponseBody(unannounced: Data([1, 2]), trailers: trailers)
        #expect(fitting.expectedLength == nil)
        #expect(try await fitting.collect(upTo: 2) == Data([1, 2]))
        #expect(fitting.trailers == trailers)
        let body = ResponseBody(unannounced: Data([1, 2, 3]), trailers: nil)
        for _ in 0..<2 {
            let error = await #expect(throws: TransportError.self) { try await body.collect(upTo: 2) }
            #expect(error?.code == .bodyTooLarge)
        }
    }
}
