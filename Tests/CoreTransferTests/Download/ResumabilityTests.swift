import Airframe
import Foundation
import HTTPTypes
import Testing

@Suite("Resumability of downloads", .timeLimit(.minutes(5)))
struct ResumabilityTests {
    /// A first response, and whether resume data comes of it when it breaks off.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let isResumable: Bool
        let change: @Sendable (inout FileServer.Answer) -> Void

        init(
            _ testDescription: String, _ isResumable: Bool,
            _ change: @escaping @Sendable (inout FileServer.Answer) -> Void
        ) {
            self.testDescription = testDescription
            self.isResumable = isResumable
            self.change = change
        }
    }

    private static let long = "Sun, 06 Nov 1994 08:49:37 GMT"

    static let rows = [
        Row("a strong entity tag", true) { _ in },
        Row("a weak entity tag", false) { $0.fields[.eTag] = "W/\"v1\"" },
        Row("an entity tag without quotes", false) { $0.fields[.eTag] = "v1" },
        Row("no validator", false) { $0.fields[.eTag] = nil },
        Row("a date, long ago", true) {
            $0.fields[.eTag] = nil
            $0.fields[.lastModified] = long
        },
        Row("a date, two seconds before the response", true) {
            $0.fields[.eTag] = nil
            $0.fields[.lastModified] = long
            $0.fields[.date] = "Sun, 06 Nov 1994 08:49:39 GMT"
        },
        Row("a date within the second of the response (RFC 9110 §8.8.2.2)", false) {
            $0.fields[.eTag] = nil
            $0.fields[.lastModified] = long
            $0.fields[.date] = long
        },
        Row("a date that is none", false) {
            $0.fields[.eTag] = nil
            $0.fields[.lastModified] = "yesterday"
        },
        Row("a date with a weak tag (RFC 9110 §13.1.5)", false) {
            $0.fields[.eTag] = "W/\"v1\""
            $0.fields[.lastModified] = long
        },
        Row("no ranges", false) { $0.fields[.acceptRanges] = "none" },
        Row("nothing said of ranges", true) { $0.fields[.acceptRanges] = nil },
        Row("coded content", false) { $0.fields[.contentEncoding] = "gzip" },
        Row("no coding, said aloud", true) { $0.fields[.contentEncoding] = "identity" },
        Row("an unknown length", true) { $0.fields[.contentLength] = "" },
        Row("another status", false) { $0.status = 203 },
        Row("an error", false) { $0.status = 404 },
        Row("no byte", false) { $0.cut = 0 },
    ]

    @Test("it depends on validator, ranges, coding, status and length", arguments: rows)
    func resumable(row: Row) async throws {
        let file = ServedFile(bytes: Data(repeating: 7, count: 5_000))
        let server = FileServer { request in
            var answer = file.answer(to: request)
            answer.cut = 2_500
            row.change(&answer)
            return answer
        }
        let session = Session(transport: server)
        let response = await session.download("http://files.test/").serializingData().response
        #expect((response.resumeData != nil) == row.isResumable)
        if let data = response.resumeData { try FileManager.default.removeItem(at: partialFile(of: data)) }
    }

    @Test("requests other than a plain GET of the whole cannot be resumed", arguments: [0, 1, 2])
    func requests(kind: Int) async throws {
        let file = ServedFile(bytes: Data(repeating: 7, count: 5_000))
        let session = Session(
            transport: FileServer { _ in
                var answer = file.answer(to: HTTPRequest(method: .get, scheme: nil, authority: nil, path: nil))
                answer.cut = 2_500
                return answer
            }
        )
        let request =
            switch kind {
            case 0: session.download("http://files.test/", method: .post)
            case 1: session.download("http://files.test/", headers: ["Range": "bytes=0-4999"])
            default: session.download("http://files.test/") { $0.httpBody = Data("query".utf8) }
            }
        #expect(await request.serializingData().response.resumeData == nil)
    }

    @Test("decoded content cannot be resumed, because its offsets are not those of the coding")
    func decoded() async throws {
        let coded = try ContentCoding.gzip.example()
        let server = FileServer { _ in
            let fields: HTTPFields = [.contentEncoding: "gzip", .eTag: "\"v1\""]
            return FileServer.Answer(fields: fields, body: coded, cut: coded.count - 20)
        }
        let session = Session(transport: ContentDecodingLayer(server))
        let response = await session.download("http://files.test/").serializingData().response
        #expect(response.error?.transportError?.code == .connectionLost)
        #expect(response.resumeData == nil)
    }

    @Test("resume data has the request's fields without credentials and cookies")
    func secrets() async throws {
        let file = ServedFile(bytes: Data(repeating: 7, count: 5_000))
        let session = Session(
            transport: FileServer { request in
                var answer = file.answer(to: request)
                answer.cut = 2_500
                return answer
            }
        )
        let headers: HTTPHeaders = [
            .authorization(bearerToken: "secret-1"), .init(name: "Cookie", value: "a=secret-2"), .accept("image/png"),
        ]
        let url = "http://user:secret-3@files.test/?page=1"
        let response = await session.download(url, headers: headers).serializingData().response
        let data = try #require(response.resumeData)
        defer { try? FileManager.default.removeItem(at: partialFile(of: data)) }
        let text = String(decoding: data, as: UTF8.self)
        #expect(!text.contains("secret"))
        #expect(text.contains("image/png"))
        #expect(text.contains("http://files.test/?page=1"))
    }
}

extension ContentCoding {
    fileprivate func example() throws -> Data {
        var random = SeededGenerator(3)
        var encoder = try ContentEncoder(self)
        return Data(try encoder.encode([UInt8](random.data(5_000))) + encoder.finish())
    }
}
