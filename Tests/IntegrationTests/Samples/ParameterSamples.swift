import Airframe
import AirframeTestSupport
import Foundation
import Testing

@Suite(
    "Samples: parameters and their encodings", .enabled(if: Peers.areExpected), .overEachEngine, .timeLimit(.minutes(2))
)
struct ParameterSamples {
    private let parameters: Parameters = ["foo": "bar"]

    /// Migration to Alamofire 4, "URL Encoding"; `Parameters` holds values that are `Sendable` in 5.
    @Test(
        "URL encoding puts parameters where the method or the destination says",
        arguments: [
            (HTTPMethod.get, URLEncoding.default, true), (.post, .default, false),
            (.get, URLEncoding(destination: .methodDependent), true), (.post, .queryString, true),
            (.get, URLEncoding(destination: .queryString), true), (.post, .httpBody, false),
            (.put, URLEncoding(destination: .httpBody), false), (.delete, .default, true),
        ])
    func urlEncoding(method: HTTPMethod, encoding: URLEncoding, isQuery: Bool) async throws {
        let session = try makeSession()
        let urlString = try hangar("/anything")
        let echo = try await session.request(urlString, method: method, parameters: parameters, encoding: encoding)
            .validate().serializingDecodable(EchoedRequest.self).value
        #expect(echo.method == method.rawValue)
        #expect(echo.args == (isQuery ? ["foo": "bar"] : [:]))
        #expect(echo.form == (isQuery ? [:] : ["foo": "bar"]))
        let type = echo.header("Content-Type")
        #expect(isQuery ? type == nil : type?.hasPrefix("application/x-www-form-urlencoded") == true)
    }

    /// Migration to Alamofire 4, "URL Encoding": with the default encoding.
    @Test("Parameters without an encoding are URL-encoded")
    func defaultEncoding() async throws {
        let session = try makeSession()
        let echo = try await session.request(try hangar("/get?kept=1"), parameters: parameters)
            .validate().serializingDecodable(EchoedRequest.self).value
        #expect(echo.args == ["foo": "bar", "kept": "1"])
    }

    /// Reading the source of Alamofire 5, "ArrayEncoding" and "BoolEncoding".
    @Test("Arrays and truth values are written as the encoding says")
    func arraysAndBools() throws {
        let parameters: Parameters = ["a": [1, 2], "b": true]
        func query(_ encoding: URLEncoding) throws -> String? {
            try encoding.encode(URLRequest(url: "http://api.test/".asURL()), with: parameters).url?.query()
        }
        #expect(try query(.default) == "a%5B%5D=1&a%5B%5D=2&b=1")
        #expect(try query(URLEncoding(arrayEncoding: .noBrackets, boolEncoding: .literal)) == "a=1&a=2&b=true")
        #expect(try query(URLEncoding(arrayEncoding: .indexInBrackets)) == "a%5B0%5D=1&a%5B1%5D=2&b=1")
    }

    /// Migration to Alamofire 4, "JSON Encoding".
    @Test(
        "JSON encoding writes a body with the options that it is given",
        arguments: [
            JSONEncoding(options: []), JSONEncoding(options: .prettyPrinted), .default, .prettyPrinted,
        ])
    func jsonEncoding(encoding: JSONEncoding) async throws {
        let session = try makeSession()
        let urlString = try hangar("/post")
        let echo = try await session.request(urlString, method: .post, parameters: parameters, encoding: encoding)
            .validate().serializingDecodable(EchoedRequest.self).value
        #expect(echo.json == ["foo": "bar"])
        #expect(echo.header("Content-Type") == "application/json")
        #expect(echo.data.contains("\n") == encoding.options.contains(.prettyPrinted))
    }

    /// Migration to Alamofire 4, "Data Request - Complex with URL string": the sample sends JSON with a GET, which
    /// Alamofire 5 rejects, because no server expects it.
    @Test("A GET with a JSON body is rejected before it is sent; a POST passes the whole chain")
    func complex() async throws {
        let session = try makeSession()
        let refused = await session.request(
            try hangar("/get"), method: .get, parameters: parameters, encoding: JSONEncoding.default
        ).serializingData().response
        guard case .failure(.urlRequestValidationFailed(.bodyDataInGETRequest(let body))) = refused.result else {
            Issue.record("\(refused.result)")
            return
        }
        #expect(String(decoding: body, as: UTF8.self) == #"{"foo":"bar"}"#)

        let urlString = try hangar("/post")
        let response: AFDataResponse<any Sendable> = await handled { done in
            let asking: any JSONResponding = session.request(
                urlString, method: .post, parameters: parameters, encoding: JSONEncoding.default
            )
            .downloadProgress(queue: DispatchQueue.global(qos: .utility)) { progress in
                #expect(progress.fractionCompleted <= 1)
            }
            .validate { request, response, data in
                data == nil ? .failure(CustomError(words: "no data")) : .success(())
            }
            asking.respondJSON { response in done(response) }
        }
        let json = try #require(try response.result.get() as? [String: Any])
        #expect(json["json"] as? [String: String] == ["foo": "bar"])
    }

    /// Migration to Alamofire 4, "Property List Encoding"; removed from Alamofire 5, kept here.
    @Test(
        "Property list encoding writes a body in either format",
        arguments: [
            (PropertyListEncoding(format: .xml, options: 0), PropertyListSerialization.PropertyListFormat.xml),
            (PropertyListEncoding(format: .binary, options: 0), .binary), (.xml, .xml), (.binary, .binary),
        ])
    func propertyListEncoding(
        encoding: PropertyListEncoding,
        format: PropertyListSerialization.PropertyListFormat
    ) async throws {
        let session = try makeSession()
        let request = session.request(
            try hangar("/upload"), method: .post, parameters: parameters, encoding: encoding)
        let received = try await request.validate().serializingDecodable(Received.self).value
        #expect(received.contentType == "application/x-plist")
        let body = try #require(request.request?.httpBody)
        #expect(received.bytes == body.count)
        var read = PropertyListSerialization.PropertyListFormat.openStep
        let list = try PropertyListSerialization.propertyList(from: body, format: &read)
        #expect(list as? [String: String] == ["foo": "bar"] && read == format)
    }

    /// Migration to Alamofire 4, "Custom Encoding".
    @Test("An application can encode parameters in its own way")
    func customEncoding() async throws {
        struct CommaEncoding: ParameterEncoding {
            func encode(_ urlRequest: any URLRequestConvertible, with parameters: Parameters?) throws -> URLRequest {
                var urlRequest = try urlRequest.asURLRequest()
                guard let parameters else { return urlRequest }
                guard !parameters.isEmpty else { throw CustomError(words: "nothing to send") }
                urlRequest.headers.update(.contentType("text/csv"))
                urlRequest.httpBody = Data(parameters.keys.sorted().joined(separator: ",").utf8)
                return urlRequest
            }
        }
        let session = try makeSession()
        let url = try hangar("/post")
        let parameters: Parameters = ["b": 1, "a": 2]
        let echo = try await session.request(url, method: .post, parameters: parameters, encoding: CommaEncoding())
            .validate().serializingDecodable(EchoedRequest.self).value
        #expect(echo.data == "a,b" && echo.header("Content-Type") == "text/csv")
        let failed = await session.request(url, method: .post, parameters: Parameters(), encoding: CommaEncoding())
            .serializingData().response
        #expect(failed.error?.underlyingError as? CustomError == CustomError(words: "nothing to send"))
    }

    /// Advanced usage of Alamofire 5, "Routing requests": any `Encodable` is a parameter.
    @Test("Types of the application's own are parameters, as a form or as JSON")
    func encodable() async throws {
        struct Login: Encodable, Sendable {
            let email: String
            let password: String
        }
        let session = try makeSession()
        let login = Login(email: "test@test.test", password: "testPassword")
        let url = try hangar("/post")
        let form = try await session.request(url, method: .post, parameters: login)
            .validate().serializingDecodable(EchoedRequest.self).value
        #expect(form.form == ["email": "test@test.test", "password": "testPassword"])
        let json = try await session.request(url, method: .post, parameters: login, encoder: .json)
            .validate().serializingDecodable(EchoedRequest.self).value
        #expect(json.json == form.form)
    }

    /// Advanced usage of Alamofire 5, "Creating a Session with a URLSessionConfiguration": fields belong to requests.
    @Test("Fields are given to a request, and those of the default configuration join them")
    func headers() async throws {
        let session = try makeSession()
        let headers: HTTPHeaders = [
            .accept("application/json"), .authorization(bearerToken: "t"), HTTPHeader(name: "X-Own", value: "1"),
        ]
        let echo = try await session.request(try hangar("/get"), headers: headers)
            .validate().serializingDecodable(EchoedRequest.self).value
        #expect(echo.header("Accept") == "application/json")
        #expect(echo.header("Authorization") == "Bearer t")
        #expect(echo.header("X-Own") == "1")
        for name in ["Accept-Encoding", "Accept-Language", "User-Agent"] {
            #expect(echo.header(name)?.isEmpty == false, "\(name)")
        }
    }
}
