import AsyncHTTPClient
import Benchmark
import Foundation
import NIOCore
import NIOFoundationCompat
import NIOHTTP1

/// AsyncHTTPClient's API with async functions.
struct AsyncClient: Sendable {
    private let settings: Settings
    private let client: HTTPClient
    private let decoder = JSONDecoder()

    init(_ settings: Settings, _ client: HTTPClient) {
        self.settings = settings
        self.client = client
    }

    func perform() async throws {
        switch settings.work {
        case .json:
            _ = try decoder.decode(Sample.self, from: try await body(of: request))
        case .get:
            _ = try await body(of: request)
        case .newConnection:
            var request = request
            request.headers.add(name: "Connection", value: "close")
            _ = try await body(of: request)
        case .upload:
            try await upload()
        case .downloadFile:
            refuse("bench-ahc writes no files: ask for --work download")
        case .download:
            let response = try await client.execute(request, timeout: .minutes(10))
            var count = 0
            for try await chunk in response.body { count += chunk.readableBytes }
            try UnexpectedResponse.check(status: Int(response.status.code), count: count)
        }
    }

    private var request: HTTPClientRequest { HTTPClientRequest(url: settings.url) }

    private func body(of request: HTTPClientRequest) async throws -> ByteBuffer {
        let response = try await client.execute(request, timeout: .minutes(10))
        let body = try await response.body.collect(upTo: 1 << 20)
        try UnexpectedResponse.check(status: Int(response.status.code), count: body.readableBytes)
        return body
    }

    private func upload() async throws {
        let chunks = try FileChunks(path: settings.file ?? "")
        var request = request
        request.method = .PUT
        request.body = .stream(chunks, length: .known(chunks.length))
        _ = try await body(of: request)
    }
}

/// A file as a sequence of buffers of 256 KiB, read on the calling thread, since the file is in the page cache.
private struct FileChunks: AsyncSequence, Sendable {
    let path: String
    let length: Int64

    init(path: String) throws {
        self.path = path
        length = (try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int64) ?? 0
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        let file: FileHandle?

        mutating func next() async throws -> ByteBuffer? {
            guard let data = try file?.read(upToCount: 256 << 10), !data.isEmpty else { return nil }
            return ByteBuffer(data: data)
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(file: FileHandle(forReadingAtPath: path)) }
}
