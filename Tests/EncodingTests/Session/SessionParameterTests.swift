import AirframeCore
import AirframeEncoding
import AirframeTransport
import Foundation
import Testing

@Suite("Session's requests with parameters", .timeLimit(.minutes(1)))
struct SessionParameterTests {
    private struct User: Encodable, Sendable {
        let name = "Ada"
        let admin = true
    }

    // What it does is make requests as users spell them: that each of these lines compiles is half of the test.
    private let AF = Session(
        transport: ClosureTransport { _ throws(TransportError) in
            throw TransportError(.unsupportedOption, phase: .options, processing: .notSent, message: "nothing is sent")
        },
        startRequestsImmediately: false
    )
    private let url = "http://api.test/"

    private func made(_ request: DataRequest) throws -> URLRequest { try request.convertible.asURLRequest() }
    private func made(_ request: DataStreamRequest) throws -> URLRequest { try request.convertible.asURLRequest() }

    private func made(_ request: DownloadRequest) throws -> URLRequest {
        guard case .request(let convertible) = request.downloadable else { throw AFError.explicitlyCancelled }
        return try convertible.asURLRequest()
    }

    @Test("without parameters")
    func plain() throws {
        #expect(try made(AF.request(url)) == makeRequest())
        #expect(try made(AF.request(url, method: .post)) == makeRequest(method: .post))
        #expect(try made(AF.request(url, headers: ["A": "1"])).value(forHTTPHeaderField: "A") == "1")
        #expect(try made(AF.request(makeRequest())) == makeRequest())
        #expect(try made(AF.request(url, method: .post, encoding: JSONEncoding.default)).httpBody == nil)
        #expect(try made(AF.request(url, parameters: nil)) == makeRequest())
        #expect(
            try made(AF.request(url, method: .post, parameters: nil, encoding: JSONEncoding.default)).httpBody == nil)
        #expect(try made(AF.download(url)) == makeRequest())
        #expect(try made(AF.download(url, method: .post, encoding: JSONEncoding.default)).httpBody == nil)
        #expect(try made(AF.streamRequest(url)) == makeRequest())
    }

    @Test("a dictionary literal, with values of one kind or of several")
    func literals() throws {
        #expect(try made(AF.request(url, parameters: ["a": 1])).url?.query == "a=1")
        #expect(try made(AF.request(url, parameters: ["a": 1, "b": "x"])).url?.query == "a=1&b=x")
        #expect(try made(AF.request(url, method: .post, parameters: ["a": true])).bodyText == "a=1")
        #expect(try made(AF.request(url, parameters: [:])).url?.query == nil)
        #expect(try made(AF.download(url, parameters: ["a": [1]])).url?.query == "a%5B%5D=1")
        #expect(try made(AF.streamRequest(url, parameters: ["a": 1])).url?.query == "a=1")
    }

    @Test("parameters and an encoding")
    func encodings() throws {
        let parameters: Parameters = ["a": 1]
        let optional: Parameters? = parameters
        let typed = ["a": "b"]
        #expect(try made(AF.request(url, method: .post, parameters: parameters)).bodyText == "a=1")
        #expect(try made(AF.request(url, method: .post, parameters: optional)).bodyText == "a=1")
        #expect(try made(AF.request(url, method: .post, parameters: typed)).bodyText == "a=b")
        #expect(
            try made(AF.request(url, method: .post, parameters: parameters, encoding: JSONEncoding.default)).bodyText
                == #"{"a":1}"#
        )
        #expect(
            try made(AF.request(url, method: .post, parameters: typed, encoding: JSONEncoding.default)).bodyText
                == #"{"a":"b"}"#
        )
        #expect(
            try made(AF.request(url, method: .post, parameters: ["a": ["b": 1]], encoding: URLEncoding.queryString))
                .url?.query(percentEncoded: true) == "a%5Bb%5D=1"
        )
        #expect(
            try made(AF.download(url, method: .post, parameters: parameters, encoding: JSONEncoding.default)).bodyText
                == #"{"a":1}"#
        )
    }

    @Test("an Encodable and an encoder")
    func encoders() throws {
        let user = User()
        let json = try JSONParameterEncoder.default.encode(user, into: makeRequest(method: .post))
        #expect(try made(AF.request(url, parameters: user)).url?.query == "admin=1&name=Ada")
        #expect(
            try made(AF.request(url, method: .post, parameters: user, encoder: JSONParameterEncoder.default))
                .contentType == json.contentType
        )
        #expect(try made(AF.request(url, method: .post, parameters: user, encoder: .json)).httpBody != nil)
        #expect(try made(AF.request(url, method: .post, parameters: ["a": 1], encoder: .json)).bodyText == #"{"a":1}"#)
        #expect(try made(AF.request(url, method: .post, parameters: [1, 2], encoder: .json)).bodyText == "[1,2]")
        #expect(
            try made(AF.request(url, method: .post, parameters: Optional(user), encoder: .urlEncodedForm)).bodyText
                == "admin=1&name=Ada"
        )
        #expect(
            try made(AF.request(url, parameters: user, encoder: .urlEncodedForm(encoder: Form(boolEncoding: .literal))))
                .url?.query == "admin=true&name=Ada"
        )
        #expect(try made(AF.download(url, parameters: user, encoder: .urlEncodedForm)).url?.query == "admin=1&name=Ada")
        #expect(
            try made(AF.streamRequest(url, method: .post, parameters: user, encoder: .urlEncodedForm)).bodyText
                == "admin=1&name=Ada"
        )
    }

    @Test("the request modifier runs first, and its content type is kept")
    func modifier() throws {
        let request = AF.request(url, method: .post, parameters: ["a": 1], encoder: .json) { request in
            request.setValue("application/vnd.api+json", forHTTPHeaderField: "Content-Type")
        }
        #expect(try made(request).contentType == "application/vnd.api+json")
        #expect(try made(request).bodyText == #"{"a":1}"#)
    }

    @Test("headers and all the other arguments together")
    func everything() throws {
        let data = AF.request(
            url,
            method: .put,
            parameters: ["a": 1],
            encoding: JSONEncoding.prettyPrinted,
            headers: [.accept("text/plain")],
            interceptor: nil,
            shouldAutomaticallyResume: false,
            requestModifier: { $0.timeoutInterval = 5 }
        )
        let request = try made(data)
        #expect(request.method == .put && request.timeoutInterval == 5)
        #expect(request.value(forHTTPHeaderField: "Accept") == "text/plain")
        let stream = AF.streamRequest(
            url,
            parameters: User(),
            encoder: .urlEncodedForm,
            headers: ["A": "1"],
            automaticallyCancelOnStreamError: true,
            interceptor: nil,
            shouldAutomaticallyResume: false,
            requestModifier: nil
        )
        #expect(try made(stream).value(forHTTPHeaderField: "A") == "1")
        #expect(stream.automaticallyCancelOnStreamError)
        let download = AF.download(
            url,
            parameters: User(),
            encoder: .urlEncodedForm,
            headers: nil,
            interceptor: nil,
            shouldAutomaticallyResume: false,
            requestModifier: nil,
            to: nil
        )
        #expect(try made(download).url?.query == "admin=1&name=Ada")
    }
}
