import AirframeCore
import AirframeEncoding
import AirframeSerialization
import AirframeSocket
import AirframeTestSupport
import Foundation
import Testing

/// What a parser found in a form.
private struct Entry: Decodable, Equatable {
    let name: String
    let file: String?
    let type: String?
    let size: Int
}

@Suite("Multipart forms, parsed by other software", .enabled(if: Peers.areExpected), .timeLimit(.minutes(1)))
struct MultipartPeerTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func form() throws -> MultipartFormData {
        let form = MultipartFormData()
        form.append(Data("Ada".utf8), withName: "name")
        form.append(Data("Straße — 日本\r\n--x\r\n".utf8), withName: "text")
        form.append(Data(), withName: "empty")
        form.append(Data("0".utf8), withName: "name")
        form.append(
            try folder.file("photo.jpg", Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0) })), withName: "photo")
        form.append(Data("x".utf8), withName: "doc", fileName: "täst 日本.txt", mimeType: "text/plain")
        form.append(
            InputStream(data: Data(repeating: 13, count: 70_000)), withName: "s", fileName: "s.bin", mimeType: "a/b")
        return form
    }

    @Test("werkzeug and python-multipart read the parts back", arguments: ["werkzeug", "python-multipart"])
    func parsers(parser: String) async throws {
        let repository = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let form = try form()
        let file = folder.url.appendingPathComponent("form")
        try form.writeEncodedData(to: file)
        let outcome = try await Command([
            repository.appending(path: ".build/peers/venv/bin/python").path,
            repository.appending(path: "Tests/EncodingTests/Peers/read_form.py").path, file.path, form.contentType,
        ]).run()
        try #require(outcome.status == 0, "\(outcome.output)")
        let found = try JSONDecoder().decode([String: [Entry]].self, from: Data(outcome.output.utf8))
        let knowsTypes = parser == "werkzeug"
        func entry(_ name: String, _ file: String?, _ type: String?, _ size: Int) -> Entry {
            Entry(name: name, file: file, type: knowsTypes ? type : nil, size: size)
        }
        let expected = [
            entry("name", nil, nil, 3), entry("text", nil, nil, Data("Straße — 日本\r\n--x\r\n".utf8).count),
            entry("empty", nil, nil, 0), entry("name", nil, nil, 1), entry("photo", "photo.jpg", "image/jpeg", 300_000),
            entry("doc", "täst 日本.txt", "text/plain", 1), entry("s", "s.bin", "a/b", 70_000),
        ]
        let entries = try #require(found[parser])
        #expect(entries.count == expected.count)
        for entry in expected { #expect(entries.contains(entry), "\(entry) is not in \(entries)") }
    }

    @Test("httpbin receives the fields and files of an upload with Content-Length and in chunks")
    func httpbin() async throws {
        struct Answer: Decodable, Sendable {
            let form: [String: String]
            let files: [String: String]
            let headers: [String: String]
        }
        let session = Session(transport: SocketTransport())
        let url = try Peers.required().http("httpbin") + "/post"
        let small = MultipartFormData()
        small.append(Data("Ada".utf8), withName: "name")
        small.append(Data("content".utf8), withName: "file", fileName: "f.txt", mimeType: "text/plain")
        for threshold in [UInt64(0), 1 << 20, nil] {
            let upload =
                if let threshold {
                    session.upload(multipartFormData: small, to: url, usingThreshold: threshold)
                } else {
                    session.upload(multipartFormData: small, to: url)
                }
            let answer = try await upload.validate().serializingDecodable(Answer.self).value
            #expect(answer.form == ["name": "Ada"])
            #expect(answer.files == ["file": "content"])
            #expect(try answer.headers["Content-Length"] == "\(small.encode().count)")
        }
        let large = try form()
        struct Texts: Decodable, Sendable {
            let form: Form
            let files: [String: String]
            struct Form: Decodable {
                let name: [String]
                let text: String
                let empty: String
            }
        }
        let answer = try await session.upload(multipartFormData: large, to: url).validate()
            .serializingDecodable(Texts.self).value
        #expect(answer.form.name == ["Ada", "0"])
        #expect(answer.form.text == "Straße — 日本\r\n--x\r\n")
        #expect(answer.form.empty.isEmpty)
        #expect(answer.files["doc"] == "x")
        #expect(answer.files["photo"]?.hasPrefix("data:") == true)
    }
}
