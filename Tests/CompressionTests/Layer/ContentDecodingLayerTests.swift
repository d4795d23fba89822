import AirframeCompression
import AirframeTestSupport
import AirframeTransport
import FoundationEssentials
import HTTPTypes
import Synchronization
import Testing

@Suite("The layer that decodes content", .timeLimit(.minutes(5)))
struct ContentDecodingLayerTests {
    private let content = Array("a body that was coded".utf8)

    @Test("content is decoded, and its head no longer speaks of the coding", arguments: ContentCoding.allCases)
    func decodes(coding: ContentCoding) async throws {
        let engine = CodedTransport(coding: coding.rawValue, try encode(content, as: coding))
        let outcome = try await ContentDecodingLayer(engine).outcome()
        #expect(outcome.body == content)
        #expect(outcome.fields[.contentEncoding] == nil)
        #expect(outcome.fields[.contentLength] == nil)
        #expect(outcome.fields[.contentType] == "text/plain")
        #expect(outcome.response.body.expectedLength == nil)
    }

    @Test("the received head is kept as well")
    func receivedHead() async throws {
        let coded = try encode(content, as: .gzip)
        let outcome = try await ContentDecodingLayer(CodedTransport(coding: "gzip", coded)).outcome()
        let received = try #require(outcome.response.receivedHead?.headerFields)
        #expect(received[.contentEncoding] == "gzip")
        #expect(received[.contentLength] == "\(coded.count)")
    }

    @Test(
        "names are case-insensitive, may have whitespace, include x-gzip, and are applied in order (RFC 9110 §8.4)",
        arguments: ["gzip", "GZIP", " x-gzip ", "identity, gzip", "gzip,", "br, x-gzip", "br , gzip, deflate"]
    )
    func names(value: String) async throws {
        let codings = value.split(separator: ",").compactMap { ContentCoding(name: $0.filter { $0 != " " }) }
        let coded = try codings.reduce(content) { try encode($0, as: $1) }
        #expect(try await ContentDecodingLayer(CodedTransport(coding: value, coded)).outcome().body == content)
    }

    @Test(
        "content with an unknown coding passes unchanged", arguments: ["rot13", "gzip, rot13", "rot13, gzip"])
    func unknown(value: String) async throws {
        let outcome = try await ContentDecodingLayer(CodedTransport(coding: value, content)).outcome()
        #expect(outcome.body == content)
        #expect(outcome.fields[.contentEncoding] == value)
        #expect(outcome.fields[.contentLength] == "\(content.count)")
        #expect(outcome.response.receivedHead == nil)
    }

    @Test("content without a coding passes unchanged", arguments: [nil, "identity", ""] as [String?])
    func plain(value: String?) async throws {
        let outcome = try await ContentDecodingLayer(CodedTransport(coding: value, content)).outcome()
        #expect(outcome.body == content)
        #expect(outcome.fields[.contentLength] == "\(content.count)")
    }

    @Test("responses without content, or with a part of it, keep their fields", arguments: [204, 206, 304])
    func partial(status: Int) async throws {
        let bytes = status == 206 ? content : []
        let outcome = try await ContentDecodingLayer(CodedTransport(status: status, coding: "gzip", bytes)).outcome()
        #expect(outcome.body == bytes)
        #expect(outcome.fields[.contentEncoding] == "gzip")
        #expect(outcome.fields[.contentLength] == "\(bytes.count)")
    }

    @Test("a response to HEAD keeps its fields")
    func head() async throws {
        let engine = CodedTransport(coding: "gzip", length: 70, body: ChunkedBody([]))
        let outcome = try await ContentDecodingLayer(engine).outcome(of: .plain(.head))
        #expect(outcome.fields[.contentEncoding] == "gzip")
        #expect(outcome.fields[.contentLength] == "70")
    }

    @Test("responses of all statuses are decoded", arguments: [200, 404, 500])
    func status(status: Int) async throws {
        let engine = CodedTransport(status: status, coding: "gzip", try encode(content, as: .gzip))
        #expect(try await ContentDecodingLayer(engine).outcome().body == content)
    }

    @Test("empty content is accepted with every coding", arguments: ContentCoding.allCases)
    func empty(coding: ContentCoding) async throws {
        #expect(try await ContentDecodingLayer(CodedTransport(coding: coding.rawValue, [])).outcome().body == [])
    }

    @Test("a request that opts out requests and decodes no coding")
    func off() async throws {
        let coded = try encode(content, as: .gzip)
        let engine = CodedTransport(coding: "gzip", coded)
        var request = TransportRequest.plain()
        request[ContentDecoding.self] = .off
        #expect(try await ContentDecodingLayer(engine).outcome(of: request).body == coded)
        #expect(engine.lastFields[.acceptEncoding] == nil)
    }

    @Test("trailers are passed on")
    func trailers() async throws {
        let name = try #require(HTTPField.Name("Sum"))
        let body = ChunkedBody([try encode(content, as: .gzip)], trailers: [name: "7"])
        let outcome = try await ContentDecodingLayer(CodedTransport(coding: "gzip", body: body)).outcome()
        #expect(outcome.response.body.trailers == [name: "7"])
    }

    @Test("the layer adds its codings to the capabilities")
    func capabilities() {
        let engine = CodedTransport(coding: nil, [])
        #expect(ContentDecodingLayer(engine).capabilities.contentCodings == ["br", "gzip", "deflate", "zstd"])
        #expect(ContentDecodingLayer(engine, codings: [.gzip]).capabilities.contentCodings == ["gzip"])
        #expect(ContentDecodingLayer(engine).capabilities.engine == "coded")
    }
}

@Suite("Accept-Encoding", .timeLimit(.minutes(5)))
struct AcceptEncodingTests {
    private static let all = "br;q=1.0, gzip;q=0.9, deflate;q=0.8, zstd;q=0.7"

    @Test(
        "lists the codings by preference (RFC 9110 §12.5.3); a user's field is kept; ranges are requested uncoded")
    func field() async throws {
        let engine = CodedTransport(coding: nil, [])
        let layer = ContentDecodingLayer(engine)
        let rows: [(HTTPFields, String)] = [
            ([:], Self.all), ([.acceptEncoding: "gzip"], "gzip"), ([.acceptEncoding: "identity"], "identity"),
            ([.acceptEncoding: ""], ""), ([.range: "bytes=5-"], "identity"),
            ([.range: "bytes=5-", .acceptEncoding: Self.all], "identity"),
            ([.range: "bytes=5-", .acceptEncoding: "gzip"], "gzip"),
        ]
        for (fields, expected) in rows {
            _ = try await layer.send(.plain(fields: fields))
            #expect(engine.lastFields[.acceptEncoding] == expected)
        }
    }

    @Test("a request that opts out does not send a session's default list; a user's field is kept")
    func off() async throws {
        let engine = CodedTransport(coding: nil, [])
        let layer = ContentDecodingLayer(engine)
        for (value, expected) in [(Self.all, nil), ("gzip", "gzip"), ("", "")] as [(String, String?)] {
            var request = TransportRequest.plain(fields: [.acceptEncoding: value])
            request[ContentDecoding.self] = .off
            _ = try await layer.send(request)
            #expect(engine.lastFields[.acceptEncoding] == expected)
        }
    }

    @Test("a layer without codings requests none and decodes all")
    func noCodings() async throws {
        let engine = CodedTransport(coding: "gzip", try encode([1, 2], as: .gzip))
        #expect(try await ContentDecodingLayer(engine, codings: []).outcome().body == [1, 2])
        #expect(engine.lastFields[.acceptEncoding] == nil)
    }
}

@Suite("Incremental decoding", .timeLimit(.minutes(5)))
struct DecodedBodyTests {
    private func failure(_ layer: ContentDecodingLayer, _ request: TransportRequest = .plain()) async -> TransportError?
    {
        do {
            _ = try await layer.outcome(of: request)
            return nil
        } catch {
            return error as? TransportError
        }
    }

    @Test("the layer pulls only as much as its reader needs")
    func backpressure() async throws {
        var random = SeededGenerator(10)
        let coded = try encode(random.bytes(1 << 20), as: .gzip)
        let chunks = stride(from: 0, to: coded.count, by: 16 << 10).map {
            Array(coded[$0..<min($0 + 16 << 10, coded.count)])
        }
        let body = ChunkedBody(chunks)
        let response = try await ContentDecodingLayer(CodedTransport(coding: "gzip", body: body)).send(.plain())
        #expect(body.taken == 0)
        _ = try await response.body.next()
        #expect((1...3).contains(body.taken))
        response.body.cancel()
        #expect(body.cancelled == 1)
    }

    @Test("events have the decoded and the received sizes, and the release is the last event")
    func events() async throws {
        let log = EventLog()
        var request = TransportRequest.plain()
        request.events = log
        let coded = try encode([UInt8](repeating: 3, count: 100_000), as: .brotli)
        _ = try await ContentDecodingLayer(CodedTransport(coding: "br", coded)).outcome(of: request)
        #expect(log.words == ["received \(coded.count)", "65536 of 65536", "34464 of 100000", "released"])
    }

    @Test("without a coding the engine's events pass unchanged")
    func plainEvents() async throws {
        let log = EventLog()
        var request = TransportRequest.plain()
        request.events = log
        _ = try await ContentDecodingLayer(CodedTransport(coding: nil, [1, 2])).outcome(of: request)
        #expect(log.words == ["received 2", "released"])
    }

    @Test("a truncated coded stream in a complete body is an error", arguments: ContentCoding.allCases)
    func truncated(coding: ContentCoding) async throws {
        let coded = try encode(Array("a body".utf8), as: coding)
        let engine = CodedTransport(coding: coding.rawValue, Array(coded[..<(coded.count - 1)]))
        let log = EventLog()
        var request = TransportRequest.plain()
        request.events = log
        let error = await failure(ContentDecodingLayer(engine), request)
        #expect(error?.code == .contentDecodingFailed)
        #expect(error?.message.contains("is truncated") == true)
        #expect(error?.origin?.host == "api.test")
        #expect(log.words.last == "failed: contentDecodingFailed")
    }

    @Test("corrupt content ends the exchange with the library's message")
    func corrupt() async throws {
        let engine = CodedTransport(coding: "gzip", body: ChunkedBody([Array("<html>".utf8), [0], [0]]))
        let error = await failure(ContentDecodingLayer(engine))
        #expect(error?.code == .contentDecodingFailed)
        #expect(error?.libraryMessage == "incorrect header check")
        #expect(engine.body.cancelled == 1)
    }

    @Test("a decompression bomb is rejected with the exceeded limit, and its exchange ends")
    func bomb() async throws {
        let coded = try encode([UInt8](repeating: 0, count: 40 << 20), as: .gzip)
        let engine = CodedTransport(coding: "gzip", body: ChunkedBody([coded, [0], [0]]))
        let error = await failure(ContentDecodingLayer(engine))
        #expect(error?.code == .contentDecodingFailed)
        #expect(error?.message.contains("maximumRatio") == true)
        #expect(engine.body.cancelled == 1)
    }

    @Test("a request's limits take precedence over the layer's")
    func limits() async throws {
        let coded = try encode([UInt8](repeating: 0, count: 100), as: .gzip)
        var request = TransportRequest.plain()
        request[ContentDecoding.self] = .limited(DecodingLimits(maximumSize: 99))
        let error = await failure(ContentDecodingLayer(CodedTransport(coding: "gzip", coded)), request)
        #expect(error?.code == .bodyTooLarge)
        #expect(error?.message.contains("99 bytes") == true)
    }

    @Test("too many codings are rejected with the head, and the exchange ends")
    func tooManyCodings() async throws {
        let engine = CodedTransport(coding: "gzip, gzip, gzip, gzip, gzip, gzip", [1])
        let error = await failure(ContentDecodingLayer(engine))
        #expect(error?.message.contains("more content codings than the limit of 5") == true)
        #expect(engine.body.cancelled == 1)
    }
}

extension EventLog {
    /// The events of the body and the end, as text.
    fileprivate var words: [String] {
        events.compactMap { event in
            switch event.kind {
            case .responseBodyDecoded(let count, let total): "\(count) of \(total)"
            case .responseBodyReceived(let count, _): "received \(count)"
            case .released: "released"
            case .failed(let error): "failed: \(error.code)"
            default: nil
            }
        }
    }
}
