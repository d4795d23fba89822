import Airframe
import Foundation
import HTTPTypes
import Testing

@Suite("Invalid resume data", .timeLimit(.minutes(5)))
struct ResumeDataTests {
    private func error(resuming data: Data) async -> ResumeDataError? {
        let session = Session(transport: FileServer { _ in FileServer.Answer(status: 500) })
        let response = await session.download(resumingWith: data).serializingData().response
        guard case .createURLRequestFailed(let error) = response.error else { return nil }
        return error as? ResumeDataError
    }

    private static let good = """
        {"airframeResumeData":1,"entityTag":"\\"v1\\"","fields":[["Accept","a/b"]],
        "file":"download-6E2B8A2E-34C3-4F5B-9E0A-0B6C3F9F4E11.tmp","length":5,"modifiedNanoseconds":0,"modifiedSeconds":0,
        "total":10,"url":"http://files.test/"}
        """

    @Test(
        "it is rejected with an error that names the fault",
        arguments: [
            ("", "", "not resume data"), ("{", "[", "not resume data"), ("Data\":1", "Data\":7", "version is 7"),
            ("\"length\":5,", "", "incomplete"), ("http://", "file://", "http or https"),
            ("http://files.test/", "", "http or https"), ("download-", "../download-", "not a download's"),
            ("6E2B8A2E", "/etc/pas", "not a download's"), ("\"length\":5", "\"length\":-1", "do not fit"),
            ("\"length\":5", "\"length\":10", "do not fit"), ("\"total\":10", "\"total\":1", "do not fit"),
            ("\\\"v1\\\"", "v1", "a changed file could not be detected"),
            ("\"entityTag\":\"\\\"v1\\\"\",", "", "a changed file could not be detected"),
            ("\\\"v1\\\"", "\\\"v\\r\\n1\\\"", "a changed file could not be detected"),
            ("\"a/b\"", "\"a\\r\\nb\"", "header field"),
            ("\"Accept\"", "\"Ac cept\"", "header field"), ("[\"Accept\",\"a/b\"]", "[\"Accept\"]", "header field"),
        ]
    )
    func refused(part: String, replacement: String, reason: String) async throws {
        let text = part.isEmpty ? "" : Self.good.replacing(part, with: replacement)
        let error = try #require(await error(resuming: Data(text.utf8)))
        #expect(error.description.contains(reason))
    }

    @Test("valid data without its file starts the download over")
    func goodWithoutFile() async throws {
        let file = ServedFile(bytes: Data("hello".utf8))
        let server = FileServer { file.answer(to: $0) }
        let session = Session(transport: server)
        let data = Data(Self.good.utf8)
        #expect(try await session.download(resumingWith: data).serializingData().value == file.bytes)
        #expect(server.ranges == [])
        #expect(server.requests.first?.headerFields[.accept] == "a/b")
    }

    @Test("any changed byte gives an error or a correct file")
    func mutations() async throws {
        let file = ServedFile(bytes: Data("hello".utf8))
        let session = Session(transport: FileServer { file.answer(to: $0) })
        var random = SeededGenerator(5)
        for _ in 0..<300 {
            var changed = Data(Self.good.utf8)
            let index = Int.random(in: 0..<changed.count, using: &random)
            changed[index] = UInt8.random(in: 0...255, using: &random)
            let response = await session.download(resumingWith: changed).serializingData().response
            #expect(response.error != nil || response.value == file.bytes)
        }
    }
}
