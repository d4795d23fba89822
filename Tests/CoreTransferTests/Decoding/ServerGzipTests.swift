import Airframe
import AirframeTestSupport
import Foundation
import Testing

extension RealTransfers {
    @Suite("Content that nginx compresses", .enabled(if: Peers.areExpected), .timeLimit(.minutes(5)))
    struct ServerGzipTests {
        private func text() throws -> (url: String, content: Data) {
            let folder = URL(fileURLWithPath: try Peers.required().path("static"))
            let content = Data((0..<20_000).map { "line \($0) of a file that compresses well\n" }.joined().utf8)
            let name = "coded-\(UUID().uuidString).txt"
            try content.write(to: folder.appendingPathComponent(name))
            return (try Peers.required().http() + "/coded/\(name)", content)
        }

        @Test("it is decoded over every engine, as by curl --compressed", arguments: TestedEngine.allCases)
        func decoded(engine: TestedEngine) async throws {
            let (url, content) = try text()
            let session = engine.session()
            let response = await session.request(url).serializingData().response
            #expect(try response.result.get() == content)
            #expect(response.response?.receivedHeaders["Content-Encoding"] == "gzip")
            let transaction = try #require(response.metrics?.transactionMetrics.last)
            #expect(transaction.countOfResponseBodyBytesReceived < Int64(content.count / 4))
            let folder = try ScratchFolder()
            let file = folder.url.appendingPathComponent("curl")
            let curl = try await Command(["curl", "-sS", "--compressed", "--noproxy", "*", "-o", file.path, url]).run()
            #expect(curl.status == 0, "\(curl.output)")
            #expect(try Data(contentsOf: file) == content)
        }

        @Test("a download is decoded into the file, and its progress has no total")
        func download() async throws {
            let (url, content) = try text()
            let session = TestedEngine.sockets.session()
            let request = session.download(url)
            let file = try await request.serializingDownloadedFileURL().value
            defer { try? FileManager.default.removeItem(at: file) }
            #expect(try Data(contentsOf: file) == content)
            #expect(request.downloadProgress.completedUnitCount == Int64(content.count))
            #expect(request.downloadProgress.totalUnitCount == -1)
        }

        @Test("a range is returned without a coding")
        func range() async throws {
            let (url, content) = try text()
            let session = TestedEngine.curl.session()
            let response = await session.request(url, headers: ["Range": "bytes=100-199"]).serializingData().response
            #expect(response.response?.statusCode == 206)
            #expect(try response.result.get() == content[100..<200])
        }
    }
}
