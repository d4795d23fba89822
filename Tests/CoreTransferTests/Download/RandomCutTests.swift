import Airframe
import AirframeCurl
import AirframeSocket
import AirframeTestSupport
import Foundation
import HTTPTypes
import Synchronization
import Testing

extension RealTransfers {
    @Suite("Downloads with repeated cuts", .timeLimit(.minutes(5)))
    struct RandomCutTests {
        /// The outcome of one file: the number of parts, and whether the bytes are the same.
        private func download(_ file: ServedFile, seed: Int) async -> Int? {
            let random = Mutex(SeededGenerator(seed))
            let server = FileServer { request in
                var answer = file.answer(to: request)
                random.withLock { random in
                    guard Int.random(in: 0..<4, using: &random) > 0 else { return }
                    answer.cut = Int.random(in: 0...answer.body.count, using: &random)
                    if Bool.random(using: &random) { answer.fields[.contentLength] = "" }
                }
                return answer
            }
            let session = Session(transport: server)
            var resumeData: Data?
            for attempt in 1...1_000 {
                let request =
                    resumeData.map { session.download(resumingWith: $0) } ?? session.download("http://files.test/")
                let response = await request.serializingDownloadedFileURL().response
                switch response.result {
                case .success(let url):
                    defer { try? FileManager.default.removeItem(at: url) }
                    return (try? Data(contentsOf: url)) == file.bytes ? attempt : nil
                case .failure:
                    // A cut before the first byte of a first attempt leaves nothing to go on with.
                    resumeData = response.resumeData ?? resumeData
                }
            }
            return nil
        }

        @Test("files are correct to the byte after 10,000 cuts over a transport in memory", arguments: 0..<10)
        func inMemory(group: Int) async {
            var random = SeededGenerator(100 + group)
            var cuts = 0
            var seed = group * 1_000_000
            while cuts < 1_000 {
                let bytes = random.data(Int.random(in: 1...4_000, using: &random))
                let file =
                    Bool.random(using: &random)
                    ? ServedFile(bytes: bytes)
                    : ServedFile(bytes: bytes, tag: nil, modified: "Sun, 06 Nov 1994 08:49:37 GMT")
                seed += 1
                guard let attempts = await download(file, seed: seed) else {
                    Issue.record("a file of \(bytes.count) bytes is wrong or never came (seed \(seed))")
                    return
                }
                cuts += attempts - 1
            }
        }

        @Test(
            "files are correct to the byte after hundreds of cuts by a real server",
            .enabled(if: Peers.areExpected),
            arguments: ["curl", "socket"]
        )
        func realServer(engine: String) async throws {
            let origin = try Peers.required().http("hangar")
            let transport: any Transport = engine == "curl" ? CurlTransport() : SocketTransport()
            let configuration = URLSessionConfiguration.af.default
            configuration.transportOptions.proxy = ProxyPolicy.none
            let session = Session(transport: ContentDecodingLayer(transport), configuration: configuration)
            let size = 300_000
            let whole = try await session.request("\(origin)/range/\(size)").serializingData().value
            var random = SeededGenerator(9)
            var cuts = 0
            while cuts < 150 {
                let first = Int.random(in: 1..<size, using: &random)
                var response = await session.download("\(origin)/range/\(size)?cut=\(first)").serializingData().response
                // The cut is in the URL, and counts from the start of each part: the download creeps on by it.
                while let data = response.resumeData {
                    cuts += 1
                    response = await session.download(resumingWith: data).serializingData().response
                }
                #expect(try response.result.get() == whole)
            }
        }
    }
}
