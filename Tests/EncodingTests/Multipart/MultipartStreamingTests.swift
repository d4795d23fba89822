import AirframeCore
import AirframeEncoding
import AirframeTransport
import Foundation
import Testing

@Suite("Multipart forms as bodies", .timeLimit(.minutes(1)))
struct MultipartStreamingTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func bytes(of body: RequestBody) async throws -> Data {
        guard case .stream(let stream) = body.content else { throw CocoaError(.fileReadUnknown) }
        let source = try stream.makeSource()
        var data = Data()
        while let chunk = try await source.next() { data.append(chunk) }
        return data
    }

    private func sequence(_ texts: String...) -> AsyncStream<Data> {
        AsyncStream { continuation in
            for text in texts { continuation.yield(Data(text.utf8)) }
            continuation.finish()
        }
    }

    @Test("streaming yields the encoded form, and is repeatable if all parts are")
    func replay() async throws {
        let form = MultipartFormData()
        form.append(Data(repeating: 1, count: 400_000), withName: "data")
        form.append(try folder.file("f.bin", Data(repeating: 2, count: 300_001)), withName: "file")
        form.append(Data("text".utf8), withName: "text")
        let body = try form.makeRequestBody()
        #expect(body.replay == .restartable)
        #expect(try body.length == Int64(form.encode().count))
        #expect(try await bytes(of: body) == form.encode())
        #expect(try await bytes(of: body) == form.encode())
    }

    @Test("a form with a stream is not replayable and says so before it is sent")
    func oneShot() async throws {
        let form = MultipartFormData(boundary: "b")
        form.append(InputStream(data: Data("stream".utf8)), withLength: 6, headers: ["A": "b"])
        let body = try form.makeRequestBody()
        #expect(body.replay == .oneShot)
        #expect(try await bytes(of: body) == Data("--b\r\nA: b\r\n\r\nstream\r\n--b--\r\n".utf8))
        await #expect(throws: TransportError.self) { try await bytes(of: body) }
    }

    @Test("a part from a stream that wraps a body has the bytes of the body, and is as replayable")
    func wrapper() async throws {
        let form = MultipartFormData(boundary: "b")
        form.append(BodyInputStream(.bytes(Data("wrapped".utf8))), withLength: 7, headers: ["A": "b"])
        let body = try form.makeRequestBody()
        #expect(body.replay != .oneShot)
        #expect(try await bytes(of: body) == Data("--b\r\nA: b\r\n\r\nwrapped\r\n--b--\r\n".utf8))
    }

    @Test("a part from an asynchronous sequence is replayable if the sequence can be created again")
    func sequences() async throws {
        let once = MultipartFormData(boundary: "b")
        once.append(sequence("one", "", "two"), name: "s")
        let expected = Data("--b\r\nContent-Disposition: form-data; name=\"s\"\r\n\r\nonetwo\r\n--b--\r\n".utf8)
        #expect(try once.makeRequestBody().length == nil)
        #expect(try once.makeRequestBody().replay == .oneShot)
        #expect(try await bytes(of: once.makeRequestBody()) == expected)
        #expect(throws: (any Error).self) { try once.encode() }

        let again = MultipartFormData(boundary: "b")
        again.append(withLength: 6, name: "s") { sequence("one", "two") }
        let body = try again.makeRequestBody()
        #expect(body.replay == .restartable)
        #expect(body.length == Int64(expected.count))
        #expect(try await bytes(of: body) == expected)
        #expect(try await bytes(of: body) == expected)
    }

    @Test("a sequence with more or fewer bytes than announced fails", arguments: [2, 4] as [UInt64])
    func wrongLength(length: UInt64) async throws {
        let form = MultipartFormData()
        form.append(sequence("abc"), withLength: length, name: "s")
        let body = try form.makeRequestBody()
        await #expect(throws: (any Error).self) { try await bytes(of: body) }
    }

    @Test("bodies of every kind can be parts")
    func bodies() async throws {
        let file = try folder.file("f", Data("0123456789".utf8))
        let form = MultipartFormData(boundary: "b")
        form.append(.bytes(Data("bytes".utf8)), headers: ["N": "1"])
        form.append(.file(FileRegion(path: file.path, offset: 2, length: 3)), headers: ["N": "2"])
        form.append(.none, headers: ["N": "3"])
        let text = String(decoding: try await bytes(of: form.makeRequestBody()), as: UTF8.self)
        #expect(text == "--b\r\nN: 1\r\n\r\nbytes\r\n--b\r\nN: 2\r\n\r\n234\r\n--b\r\nN: 3\r\n\r\n\r\n--b--\r\n")
    }

    @Test("the chunks can be read without any of our clients")
    func chunks() async throws {
        let form = MultipartFormData()
        form.append(Data("value".utf8), withName: "key")
        var data = Data()
        for try await chunk in try form.chunks() { data.append(chunk) }
        #expect(try data == form.encode())
    }

    @Test("bytes before a slow part are sent without waiting for it")
    func promptness() async throws {
        let form = MultipartFormData(boundary: "b")
        form.append(Data("first".utf8), withName: "a")
        let (never, continuation) = AsyncStream.makeStream(of: Data.self)
        form.append(never, name: "s")
        guard case .stream(let stream) = try form.makeRequestBody().content else { return }
        let source = try stream.makeSource()
        let first = try await source.next()
        #expect(first.map { String(decoding: $0, as: UTF8.self) }?.contains("first\r\n--b\r\n") == true)
        continuation.finish()
        #expect(try await source.next() == Data("\r\n--b--\r\n".utf8))
        #expect(try await source.next() == nil)
    }
}
