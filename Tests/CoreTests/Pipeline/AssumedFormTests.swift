import Airframe
import Foundation
import Testing

@Suite("The type of content whose request has none", .timeLimit(.minutes(1)))
struct AssumedFormTests {
    private static let form = "\ncontent-type: application/x-www-form-urlencoded\n"

    @Test("the content of a POST is sent as a form, which its URLRequest does not show and its curl command implies")
    func post() async throws {
        let request = echoSession().request("https://api.test/", method: .post) { $0.httpBody = Data("a=1".utf8) }
        #expect(try await request.text.contains(Self.form))
        #expect(request.request?.headers["Content-Type"] == nil)
        #expect(request.cURLCommand(showingSecrets: true)?.contains("Content-Type") == false)
    }

    @Test("a type of the request or of the session is kept")
    func typed() async throws {
        let own = echoSession().request("https://api.test/", method: .post, headers: [.contentType("text/csv")]) {
            $0.httpBody = Data("a=1".utf8)
        }
        let shared = echoSession { $0.headers.add(.contentType("text/csv")) }
            .request("https://api.test/", method: .post) { $0.httpBody = Data("a=1".utf8) }
        for request in [own, shared] {
            let text = try await request.text
            #expect(text.contains("\ncontent-type: text/csv\n"))
            #expect(!text.contains("urlencoded"))
        }
    }

    @Test("other methods, empty content, streams and uploads get no type")
    func others() async throws {
        let session = echoSession()
        let url = "https://api.test/"
        let requests: [DataRequest] = [
            session.request(url, method: .put) { $0.httpBody = Data("a=1".utf8) },
            session.request(url, method: .post) { $0.httpBody = Data() },
            session.request(url, method: .post) { $0.httpBodyStream = InputStream(data: Data("a=1".utf8)) },
            session.upload(Data("a=1".utf8), to: url),
        ]
        for request in requests { #expect(try await !request.text.contains("content-type")) }
    }
}
