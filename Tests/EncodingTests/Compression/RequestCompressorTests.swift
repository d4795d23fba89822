import AirframeCompression
import AirframeCore
import AirframeEncoding
import AirframeMock
import AirframeSerialization
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@Suite("Compressed requests", .timeLimit(.minutes(1)))
struct RequestCompressorTests {
    private let mock = MockTransport { Route(.post, "/").reply(.text("done")) }
    private let url = "http://api.test/"
    private let text = Data(String(repeating: "compress me ", count: 500).utf8)

    private func decoded(_ request: RecordedRequest) throws -> Data {
        let name = try #require(request.headerFields[.contentEncoding])
        var decoder = try ContentDecoder(try #require(ContentCoding(name: name)))
        return Data(try decoder.decode([UInt8](request.body)) + decoder.finish())
    }

    private func post(
        _ interceptor: any RequestInterceptor,
        headers: HTTPHeaders = [:],
        body: @escaping @Sendable (inout URLRequest) -> Void
    ) async throws -> RecordedRequest {
        let session = Session(transport: mock)
        let request = session.request(
            url, method: .post, headers: headers, interceptor: interceptor, requestModifier: { body(&$0) })
        _ = try await request.serializingString().value
        return try #require(mock.lastRequest)
    }

    @Test("deflate is the zlib format (RFC 9110 §8.4.1.2, RFC 1950)")
    func deflate() async throws {
        let request = try await post(.deflateCompressor) { [text] in $0.httpBody = text }
        #expect(request.headerFields[.contentEncoding] == "deflate")
        #expect(request.body.first == 0x78)
        #expect(request.body.count < text.count / 10)
        #expect(try decoded(request) == text)
    }

    @Test("every coding round-trips the body", arguments: ContentCoding.allCases)
    func codings(coding: ContentCoding) async throws {
        let request = try await post(.compressor(coding), headers: ["Content-Length": "6000"]) { [text] in
            $0.httpBody = text
        }
        #expect(request.headerFields[.contentEncoding] == coding.rawValue)
        #expect(request.headerFields[.contentLength] != "6000")
        #expect(try decoded(request) == text)
    }

    @Test("a stream is compressed while it is sent; the deflate compressor leaves it alone")
    func streams() async throws {
        let coded = try await post(.compressor(.gzip)) { [text] in $0.httpBodyStream = InputStream(data: text) }
        #expect(try decoded(coded) == text)
        let plain = try await post(.deflateCompressor) { [text] in $0.httpBodyStream = InputStream(data: text) }
        #expect(plain.headerFields[.contentEncoding] == nil)
        #expect(plain.body == text)
    }

    @Test("a stream that another compressor has compressed is compressed again")
    func compressedStream() async throws {
        let interceptor = Interceptor(interceptors: [
            RequestCompressor(.gzip), RequestCompressor(.deflate, duplicateHeaderBehavior: .replace),
        ])
        let request = try await post(interceptor) { [text] in $0.httpBodyStream = InputStream(data: text) }
        #expect(request.headerFields[.contentEncoding] == "deflate")
        var decoder = try ContentDecoder(.gzip)
        let inner = try decoded(request)
        #expect(Data(try decoder.decode([UInt8](inner)) + decoder.finish()) == text)
    }

    @Test("a request with Content-Encoding fails, is compressed again or stays unchanged, as configured")
    func duplicates() async throws {
        let headers: HTTPHeaders = ["Content-Encoding": "custom"]
        let replaced = try await post(.deflateCompressor(duplicateHeaderBehavior: .replace), headers: headers) {
            [text] in
            $0.httpBody = text
        }
        #expect(try decoded(replaced) == text)
        let skipped = try await post(.deflateCompressor(duplicateHeaderBehavior: .skip), headers: headers) { [text] in
            $0.httpBody = text
        }
        #expect(skipped.headerFields[.contentEncoding] == "custom")
        #expect(skipped.body == text)
        let session = Session(transport: mock)
        let failing = session.request(
            url, method: .post, headers: headers, interceptor: .deflateCompressor,
            requestModifier: { [text] in $0.httpBody = text })
        let error = await failing.serializingString().response.error
        #expect(error?.isRequestAdaptationError == true)
        #expect(error?.underlyingError is DeflateRequestCompressor.DuplicateHeaderError)
    }

    @Test("excluded bodies and requests without a body pass unchanged")
    func choice() async throws {
        let choosy = DeflateRequestCompressor { $0.count > 10_000 }
        let plain = try await post(choosy) { [text] in $0.httpBody = text }
        #expect(plain.headerFields[.contentEncoding] == nil)
        let empty = try await post(DeflateRequestCompressor(duplicateHeaderBehavior: .error)) { _ in }
        #expect(empty.headerFields[.contentEncoding] == nil)
    }
}

@Suite("The layer that compresses requests", .timeLimit(.minutes(1)))
struct RequestCompressionLayerTests {
    private let mock = MockTransport { Route(.post, "/").reply(.text("done")) }
    private let url = "http://api.test/"

    private func decoded(_ request: RecordedRequest) throws -> Data {
        var decoder = try ContentDecoder(.gzip)
        return Data(try decoder.decode([UInt8](request.body)) + decoder.finish())
    }

    @Test("uploads of data, files, streams and forms are compressed while they are sent")
    func uploads() async throws {
        let folder = try TemporaryFolder()
        let data = Data(repeating: 65, count: 3_000_000)
        let file = try folder.file("f.txt", data)
        let session = Session(transport: try RequestCompressionLayer(mock, coding: .gzip))
        let form = MultipartFormData()
        form.append(InputStream(data: data), withName: "s", fileName: "s", mimeType: "text/plain")
        for upload in [
            session.upload(data, to: url), session.upload(file, to: url),
            session.upload(InputStream(data: data), to: url), session.upload(multipartFormData: form, to: url),
        ] {
            _ = try await upload.serializingString().value
        }
        #expect(mock.requests.count == 4)
        for request in mock.requests {
            #expect(request.headerFields[.contentEncoding] == "gzip")
            #expect(request.body.count < 100_000)
            #expect(try decoded(request).suffix(data.count).starts(with: data.prefix(10)) || decoded(request) == data)
        }
        #expect(try decoded(mock.requests[0]) == data)
        #expect(try decoded(mock.requests[1]) == data)
        #expect(try decoded(mock.requests[2]) == data)
    }

    @Test("a compressed file can be sent again, a stream cannot")
    func replay() async throws {
        let folder = try TemporaryFolder()
        let flaky = MockTransport {
            Route(.post, "/").reply(.sequence([.redirect(to: "/", status: 307), .text("done")]))
        }
        let session = Session(transport: try RequestCompressionLayer(flaky, coding: .gzip))
        let file = try folder.file("f.txt", Data(repeating: 65, count: 100_000))
        #expect(try await session.upload(file, to: url).serializingString().value == "done")
        #expect(flaky.requests.count == 2)
        #expect(try decoded(flaky.requests[1]).count == 100_000)
    }

    @Test("short content, coded content and partial content pass unchanged")
    func exceptions() async throws {
        let session = Session(transport: try RequestCompressionLayer(mock, coding: .gzip))
        let data = Data(repeating: 65, count: 5_000)
        _ = try await session.upload(Data("short".utf8), to: url).serializingString().value
        _ = try await session.upload(data, to: url, headers: ["Content-Encoding": "x"]).serializingString().value
        _ = try await session.upload(data, to: url, headers: ["Content-Range": "bytes 0-4999/9999"])
            .serializingString().value
        #expect(mock.requests.map(\.bodyByteCount) == [5, 5_000, 5_000])
    }

    @Test("a level outside of the coding's range is rejected by the layer's initializer")
    func levels() {
        #expect(throws: ContentCodingError.self) { try RequestCompressionLayer(mock, coding: .gzip, level: 99) }
    }
}
