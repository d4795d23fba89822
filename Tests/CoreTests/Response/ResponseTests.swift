import AirframeCore
import Foundation
import HTTPTypes
import Testing

@Suite("Responses", .timeLimit(.minutes(1)))
struct ResponseTests {
    private struct Refusal: Error {}

    private func response(_ result: AFResult<Int>, data: Data? = nil) -> AFDataResponse<Int> {
        var request = URLRequest(url: URL(filePath: "/"))
        request.url = URL(string: "http://u:s3cret@h.test/")
        request.headers = [.authorization(bearerToken: "s3cret")]
        let head = HTTPResponse(status: .ok, headerFields: [.setCookie: "id=s3cret"])
        return AFDataResponse<Int>(
            request: request,
            response: HTTPURLResponse(url: nil, head: head),
            data: data,
            metrics: nil,
            serializationDuration: 0.5,
            result: result
        )
    }

    @Test("keep all other properties when their value or error is mapped")
    func maps() {
        let success = response(.success(2))
        #expect(success.map { $0 * 2 }.value == 4)
        #expect(success.map { "\($0)" }.serializationDuration == 0.5)
        #expect(success.map { $0 }.request == success.request)
        #expect(success.tryMap { _ -> Int in throw Refusal() }.error is Refusal)
        #expect(success.mapError { _ in Refusal() }.value == 2)

        let failure = response(.failure(.explicitlyCancelled))
        #expect(failure.error?.isExplicitlyCancelledError == true)
        #expect(failure.tryMap { $0 }.error is AFError)
        #expect(failure.mapError { _ in Refusal() }.error != nil)
        #expect(failure.tryMapError { _ -> AFError in throw Refusal() }.error is Refusal)
        #expect(failure.tryMapError { $0 }.value == nil)
    }

    @Test("redact secrets in descriptions, and show only the beginning of a large body")
    func description() {
        let body = Data(String(repeating: "ü", count: 10_000).utf8)
        let response = response(.success(1), data: body)
        #expect(response.description == "success(1)")
        #expect(!response.debugDescription.contains("s3cret"))
        #expect(response.debugDescription.contains("20000 bytes\n•••"))
        #expect(response.debugDescription.count < 2500)
        #expect(self.response(.success(1), data: Data([0xFF, 0xFE])).debugDescription.contains("2 bytes"))
    }

    @Test("show only the beginning of a large value")
    func largeValues() {
        let text = response(.success(1)).map { _ in "<v>" + String(repeating: "v", count: 50_000) }
        #expect(text.description.hasPrefix("success(\"<v>vvv"))
        #expect(text.description.count == 1025)
        #expect(text.debugDescription.count < 2500)
        #expect(response(.success(1)).description == "success(1)")
    }

    @Test("of downloads are mapped in the same way")
    func downloads() {
        let response = AFDownloadResponse<Int>(
            request: nil,
            response: nil,
            fileURL: URL(filePath: "/tmp/x"),
            resumeData: Data([1]),
            metrics: nil,
            serializationDuration: 0,
            result: .success(1)
        )
        #expect(response.map { $0 + 1 }.value == 2)
        #expect(response.tryMap { $0 }.fileURL == response.fileURL)
        #expect(response.mapError { $0 }.resumeData == Data([1]))
        #expect(response.tryMapError { $0 }.value == 1)
        #expect(response.debugDescription.contains("/tmp/x"))
    }
}
