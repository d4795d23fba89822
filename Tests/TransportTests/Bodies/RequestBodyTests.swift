import AirframeTransport
import FoundationEssentials
import HTTPTypes
import Synchronization
import Testing

/// Reads a source to its end.
private func read(_ source: any RequestBodySource) async throws -> [UInt8] {
    var bytes: [UInt8] = []
    while let chunk = try await source.next() { bytes += chunk }
    return bytes
}

/// The stream of a body that has one.
private func stream(of body: RequestBody) throws -> RequestBody.Stream {
    guard case .stream(let stream) = body.content else { throw ForeignError(number: 0) }
    return stream
}

/// Brings the numbers up to a limit, and notes when it is cancelled.
private final class CountingSource: RequestBodySource {
    private let next = Mutex<UInt8>(0)
    private let limit: UInt8

    init(upTo limit: UInt8) { self.limit = limit }

    func next() async throws -> Data? {
        next.withLock { number in
            guard number < limit else { return nil }
            number += 1
            return Data([number])
        }
    }
}

@Suite("A request's body", .timeLimit(.minutes(1)))
struct RequestBodyTests {
    /// A way to make a body, and what is known of it before it is sent.
    struct Kind: Sendable, CustomTestStringConvertible {
        let name: String
        let body: RequestBody
        let length: Int64?
        let replay: RequestBody.Replay

        var testDescription: String { name }
    }

    static let kinds = [
        Kind(name: "none", body: .none, length: 0, replay: .seekable),
        Kind(name: "bytes", body: .bytes(Data([1, 2])), length: 2, replay: .seekable),
        Kind(name: "empty bytes", body: .bytes(Data()), length: 0, replay: .seekable),
        Kind(name: "file", body: .file(FileRegion(path: "/f", offset: 3, length: 4)), length: 4, replay: .seekable),
        Kind(name: "one-shot", body: .oneShot(CountingSource(upTo: 1)), length: nil, replay: .oneShot),
        Kind(
            name: "one-shot, length known", body: .oneShot(length: 1, CountingSource(upTo: 1)), length: 1,
            replay: .oneShot),
        Kind(name: "restartable", body: .restartable { CountingSource(upTo: 1) }, length: nil, replay: .restartable),
        Kind(
            name: "restartable, length known",
            body: .restartable(length: 1) { CountingSource(upTo: 1) },
            length: 1,
            replay: .restartable
        ),
        Kind(name: "sequence", body: .sequence(AsyncStream<Data> { nil }), length: nil, replay: .oneShot),
        Kind(
            name: "sequence, length known", body: .sequence(AsyncStream<Data> { nil }, length: 0), length: 0,
            replay: .oneShot),
        Kind(
            name: "restartable sequence",
            body: .restartableSequence(length: 9) { AsyncStream<Data> { nil } },
            length: 9,
            replay: .restartable
        ),
        Kind(name: "length -1", body: .oneShot(length: -1, CountingSource(upTo: 1)), length: nil, replay: .oneShot),
        Kind(
            name: "length Int64.min",
            body: .restartable(length: .min) { CountingSource(upTo: 1) },
            length: nil,
            replay: .restartable
        ),
    ]

    @Test("knows its length and how often it can be sent", arguments: kinds)
    func kind(_ kind: Kind) {
        #expect(kind.body.length == kind.length)
        #expect(kind.body.replay == kind.replay)
        #expect(kind.body.isNone == (kind.name == "none"))
        #expect(kind.body.trailers == nil)
    }

    @Test("of no bytes is not the same as no body: it is framed")
    func emptyIsNotNone() {
        #expect(!RequestBody.bytes(Data()).isNone)
        #expect(RequestBody.none.isNone)
    }

    @Test("that is one-shot opens once; the second time it throws before anything is sent")
    func oneShot() async throws {
        let stream = try stream(of: .oneShot(CountingSource(upTo: 3)))
        #expect(try await read(stream.makeSource()) == [1, 2, 3])
        let error = #expect(throws: TransportError.self) { try stream.makeSource() }
        #expect(error?.code == .bodyNotReplayable)
        #expect(error?.processing == .notSent)
    }

    @Test("that is one-shot opens once among many that try, and among its copies")
    func oneShotRace() async throws {
        let body = RequestBody.oneShot(CountingSource(upTo: 1))
        let opened = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<16 {
                let copy = body
                group.addTask { (try? stream(of: copy).makeSource()) != nil }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(opened == 1)
    }

    @Test("that is restartable starts from the beginning each time")
    func restartable() async throws {
        let stream = try stream(of: .restartable { CountingSource(upTo: 2) })
        for _ in 1...3 { #expect(try await read(stream.makeSource()) == [1, 2]) }
    }

    @Test("throws the errors of the closure that makes its source")
    func makerThrows() throws {
        let stream = try stream(of: .restartable { throw ForeignError(number: 4) })
        #expect(throws: ForeignError(number: 4)) { try stream.makeSource() }
    }

    @Test("of a sequence returns its elements in order, and then nil forever")
    func sequence() async throws {
        let (sequence, continuation) = AsyncStream.makeStream(of: Data.self)
        for byte in UInt8(1)...3 { continuation.yield(Data([byte])) }
        continuation.finish()
        let source = try stream(of: .sequence(sequence)).makeSource()
        #expect(try await read(source) == [1, 2, 3])
        #expect(try await source.next() == nil)
    }

    @Test("of a restartable sequence returns it again each time")
    func restartableSequence() async throws {
        let body = RequestBody.restartableSequence {
            AsyncStream<Data> { continuation in
                continuation.yield(Data([5]))
                continuation.finish()
            }
        }
        for _ in 1...2 { #expect(try await read(stream(of: body).makeSource()) == [5]) }
    }

    @Test("of a sequence that throws returns the elements before the error, and throws it")
    func throwingSequence() async throws {
        let (sequence, continuation) = AsyncThrowingStream.makeStream(of: Data.self)
        continuation.yield(Data([1]))
        continuation.finish(throwing: ForeignError(number: 2))
        let source = try stream(of: .sequence(sequence)).makeSource()
        #expect(try await source.next() == Data([1]))
        await #expect(throws: ForeignError(number: 2)) { try await source.next() }
    }

    @Test("of a sequence releases it when the exchange ends early")
    func cancelledSequence() async throws {
        let (sequence, continuation) = AsyncStream.makeStream(of: Data.self)
        let (ends, ended) = AsyncStream.makeStream(of: Void.self)
        continuation.onTermination = { _ in ended.finish() }
        // The body alone holds the sequence, so that dropping its iterator is seen.
        var source: (any RequestBodySource)? = try stream(of: .restartableSequence { [sequence] in sequence })
            .makeSource()
        continuation.yield(Data([1]))
        #expect(try await source?.next() == Data([1]))
        source?.cancel()
        source = nil
        continuation.finish()
        for await _ in ends {}
    }

    @Test("with trailers is otherwise the same body")
    func trailers() async throws {
        let body = RequestBody.bytes(Data([1])).trailers { [.eTag: "x"] }
        #expect(try await body.trailers?() == [.eTag: "x"])
        #expect(body.length == 1)
        #expect(body.replay == .seekable)
    }
}

@Suite("A region of a file", .timeLimit(.minutes(1)))
struct FileRegionTests {
    @Test(
        "stays within the offsets that a file can have",
        arguments: [
            (Int64(0), Int64(5), Int64(0), Int64(5)), (3, 4, 3, 4), (-1, 4, 0, 4), (3, -4, 3, 0),
            (.max, .max, .max, 0), (.min, .min, 0, 0), (10, .max, 10, .max - 10),
        ]
    )
    func bounds(offset: Int64, length: Int64, expectedOffset: Int64, expectedLength: Int64) {
        let region = FileRegion(path: "/f", offset: offset, length: length)
        #expect(region.offset == expectedOffset)
        #expect(region.length == expectedLength)
        #expect(!region.offset.addingReportingOverflow(region.length).overflow)
    }
}
