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

    @Test("are described by their whole result, however long")
    func wholeResult() {
        #expect(response(.success(1)).description == "success(1)")
        let text = response(.success(1)).map { _ in "<v>" + String(repeating: "v", count: 50_000) }
        #expect(text.description == "success(\"<v>" + String(repeating: "v", count: 50_000) + "\")")
        let numbers = response(.success(1)).map { _ in Array(0..<2000) }
        #expect(numbers.description == "\(numbers.result)")
        #expect(numbers.debugDescription.hasSuffix("\n[Result]: \(numbers.result)"))
    }

    private struct Login {
        let name: String
        let token: String
    }

    @Test("redact secrets anywhere in their result")
    func secretsInResult() {
        let login = response(.success(1)).map { _ in Login(name: String(repeating: "n", count: 5000), token: "s3cret") }
        #expect(login.description.hasSuffix("nnn\", token: •••))"))
        let json = response(.success(1)).map { _ in #"{"name":"ada","password":"s3cret"}"# }
        #expect(json.description == #"success("{\"name\":\"ada\",\"password\":\"•••\"}")"#)
        #expect(response(.success(1)).map { _ in "text s3cret" }.description == #"success("••• (11 bytes)")"#)
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
    }
}
