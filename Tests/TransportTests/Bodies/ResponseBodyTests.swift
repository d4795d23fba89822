import AirframeTransport
import FoundationEssentials
import HTTPTypes
import Testing

@Suite("A response's body", .timeLimit(.minutes(1)))
struct ResponseBodyTests {
    private let trailers: HTTPFields = [.eTag: "\"end\""]

    @Test("returns its chunks in order, then nil, and nil again")
    func inOrder() async throws {
        let source = ScriptedSource(chunks: [[1, 2], [3]])
        let body = ResponseBody(source)
        #expect(try await body.next() == Data([1, 2]))
        #expect(try await body.next() == Data([3]))
        #expect(try await body.next() == nil)
        #expect(try await body.next() == nil)
        #expect(source.reads == 3, "the source is not called again after its end")
    }

    @Test("does not call its source until it is read: not pulling is backpressure")
    func backpressure() async throws {
        let source = ScriptedSource(chunks: [[1], [2]])
        let body = ResponseBody(source)
        #expect(source.reads == 0)
        _ = try await body.next()
        #expect(source.reads == 1)
    }

    @Test("skips the empty chunks of a source: each chunk has at least one byte")
    func emptyChunks() async throws {
        let body = ResponseBody(ScriptedSource(chunks: [[], [1], [], [], [2], []]))
        #expect(try await body.next() == Data([1]))
        #expect(try await body.next() == Data([2]))
        #expect(try await body.next() == nil)
    }

    @Test("has trailers after its end and not before")
    func trailerFields() async throws {
        let body = ResponseBody(ScriptedSource(chunks: [[1]], trailers: trailers))
        #expect(body.trailers == nil)
        _ = try await body.next()
        #expect(body.trailers == nil)
        _ = try await body.next()
        #expect(body.trailers == trailers)
    }

    @Test("that failed throws the same error again, and never looks complete")
    func errorStays() async throws {
        let source = ScriptedSource([.bytes([1]), .fail(lost), .bytes([2])], trailers: trailers)
        let body = ResponseBody(source)
        _ = try await body.next()
        for _ in 1...2 {
            let error = await #expect(throws: TransportError.self) { try await body.next() }
            #expect(error?.code == .connectionLost)
        }
        #expect(source.reads == 2, "the source is not called again after an error")
        #expect(body.trailers == nil)
    }

    @Test("refuses a second reader while the first one waits, and continues for the first")
    func secondReader() async throws {
        let source = ScriptedSource([.wait, .bytes([1])])
        let body = ResponseBody(source)
        async let first = body.next()
        await source.hasReader()
        let error = await #expect(throws: TransportError.self) { try await body.next() }
        #expect(error?.code == .bodyInUse)
        source.release()
        #expect(try await first == Data([1]))
        #expect(try await body.next() == nil)
        #expect(source.reads == 2)
    }

    @Test("can be read by one reader after the other")
    func readersInTurn() async throws {
        let body = ResponseBody(ScriptedSource(chunks: [[1], [2]]))
        #expect(try await Task { try await body.next() }.value == Data([1]))
        #expect(try await Task { try await body.next() }.value == Data([2]))
    }

    @Test("is read with for await")
    func asyncSequence() async throws {
        let body = ResponseBody(ScriptedSource(chunks: [[1], [], [2, 3]], trailers: trailers))
        var chunks: [Data] = []
        for try await chunk in body { chunks.append(chunk) }
        #expect(chunks == [Data([1]), Data([2, 3])])
        #expect(body.trailers == trailers)
    }

    @Test("that a loop left by break can be read further by the next loop")
    func asyncSequenceInParts() async throws {
        let body = ResponseBody(ScriptedSource(chunks: [[1], [2]]))
        for try await chunk in body {
            #expect(chunk == Data([1]))
            break
        }
        for try await chunk in body { #expect(chunk == Data([2])) }
    }

    @Test("in memory is returned in one chunk, with its trailers")
    func whole() async throws {
        let body = ResponseBody(Data([1, 2, 3]), trailers: trailers)
        #expect(body.expectedLength == 3)
        #expect(body.trailers == nil)
        #expect(try await body.next() == Data([1, 2, 3]))
        #expect(body.trailers == trailers)
        #expect(try await body.next() == nil)
    }

    @Test("that is empty ends immediately")
    func empty() async throws {
        let body = ResponseBody(trailers: trailers)
        #expect(body.expectedLength == 0)
        #expect(body.trailers == trailers)
        #expect(try await body.next() == nil)
        #expect(try await body.collect(upTo: 0).isEmpty)
        for try await _ in body { Issue.record("there is nothing to read") }
    }

    @Test("has no expected length where the announced one is none", arguments: [-1, Int64.min])
    func negativeLength(length: Int64) async throws {
        let body = ResponseBody(ScriptedSource(chunks: [[1], [2]]), expectedLength: length)
        #expect(body.expectedLength == nil)
        #expect(try await body.collect(upTo: 2).count == 2)
    }
}
