import AirframeCore
import AirframeSerialization
import AirframeTestSupport
import AirframeTransport
import Foundation
import Testing

@Suite("file: and data: URLs", .timeLimit(.minutes(1)))
struct LocalURLTests {
    @Test("a file: URL yields the file, in memory and as a download", arguments: TestedEngine.allCases)
    func file(engine: TestedEngine) async throws {
        let place = FileManager.default.temporaryDirectory.appendingPathComponent("airframe \(UUID().uuidString).txt")
        let content = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0) })
        try content.write(to: place)
        defer { try? FileManager.default.removeItem(at: place) }
        let session = engine.session()
        let response = await session.request(place).validate().serializingData().response
        #expect(response.value == content)
        #expect(response.response?.expectedContentLength == 300_000)
        let copy = try await session.download(place).serializingDownloadedFileURL().value
        #expect(try Data(contentsOf: copy) == content)
        try FileManager.default.removeItem(at: copy)
    }

    @Test(
        "a data: URL yields its content (RFC 2397)",
        arguments: TestedEngine.allCases,
        [
            ("data:,a%20b", "a b", "text/plain"), ("data:text/html;base64,PGI+", "<b>", "text/html"),
            ("data:;charset=utf-8,%C3%BC#part", "ü", "text/plain"),
            ("data:application/json,[1]", "[1]", "application/json"),
        ]
    )
    func data(engine: TestedEngine, sample: (url: String, text: String, type: String)) async throws {
        let session = engine.session()
        let response = await session.request(sample.url).validate().serializingString(encoding: .utf8).response
        #expect(response.value == sample.text, "\(String(describing: response.error))")
        #expect(response.response?.mimeType == sample.type)
    }

    @Test(
        "a file that cannot be read has its URLError",
        arguments: TestedEngine.allCases,
        [
            ("file:///nonexistent", URLError.Code.fileDoesNotExist), ("file:///tmp", .fileIsDirectory),
            ("data:x", .badURL),
        ]
    )
    func failures(engine: TestedEngine, sample: (url: String, code: URLError.Code)) async throws {
        let session = engine.session()
        let error = await session.request(sample.url).serializingData().response.error
        #expect((error?.underlyingError as? URLError)?.code == sample.code, "\(String(describing: error))")
    }

    @Test("allowsLocalURLs = false refuses them", arguments: TestedEngine.allCases)
    func refused(engine: TestedEngine) async throws {
        let configuration = URLSessionConfiguration.af.default
        configuration.allowsLocalURLs = false
        let session = engine.session(configuration: configuration)
        let error = await session.request("file:///etc/hosts").serializingData().response.error
        #expect((error?.underlyingError as? URLError)?.code == .unsupportedURL)
    }

    @Test("a redirect never leads to a file", .enabled(if: Peers.areExpected), arguments: TestedEngine.allCases)
    func redirect(engine: TestedEngine) async throws {
        let url = try hangar("/redirect-to?url=file:///etc/hosts")
        let session = engine.session()
        let response = await session.request(url).validate().serializingData().response
        #expect(response.value == nil && response.error != nil)
    }
}
