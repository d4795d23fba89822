import Airframe
import AirframeTestSupport
import Foundation
import Testing

@Suite(
    "Samples: responses and what is made of them", .enabled(if: Peers.areExpected), .overEachEngine,
    .timeLimit(.minutes(2)))
struct ResponseSamples {
    private struct SomeType: Decodable, Sendable {
        let args: [String: String]
        var someProperty: Property { Property(text: args["foo"] ?? "") }
    }
    private struct Property: Equatable, Sendable {
        let text: String
        func validated() throws -> Property {
            guard !text.isEmpty else { throw CustomError(words: "empty") }
            return self
        }
    }

    /// Advanced usage of Alamofire 5, "Handling responses without serialization".
    @Test("A response is handled as data, in a file or in memory, on the queue that was named")
    func withoutSerialization() async throws {
        let session = try makeSession()
        let url = try hangar("/get")
        let queue = DispatchQueue(label: "org.example.handlers")
        let data: AFDataResponse<Data?> = await handled { done in
            session.request(url).response(queue: queue) { response in
                dispatchPrecondition(condition: .onQueue(queue))
                done(response)
            }
        }
        #expect(data.value??.isEmpty == false)
        let file: AFDownloadResponse<URL?> = await handled { done in
            session.download(url).response { response in done(response) }
        }
        let fileURL = try #require(try file.result.get())
        defer { try? FileManager.default.removeItem(at: fileURL) }
        #expect(file.fileURL == fileURL && FileManager.default.fileExists(atPath: fileURL.path))
    }

    /// Advanced usage of Alamofire 5, "ResponseSerializer": the handlers that Alamofire provides.
    @Test("A response is handled as data, text, JSON and a type of the application's own, by one request")
    func handlers() async throws {
        let session = try makeSession()
        let request = session.request(try hangar("/get"), parameters: ["foo": "bar"]).validate()
        async let data: AFDataResponse<Data> = handled { done in request.responseData { done($0) } }
        async let text: AFDataResponse<String> = handled { done in request.responseString { done($0) } }
        async let json: AFDataResponse<any Sendable> = handled { done in
            let asking: any JSONResponding = request
            asking.respondJSON { done($0) }
        }
        async let value: AFDataResponse<SomeType> = handled { done in
            request.responseDecodable(of: SomeType.self) { response in
                debugPrint(response)
                done(response)
            }
        }
        #expect(try await data.result.get() == Data(text.result.get().utf8))
        #expect((try await json.result.get() as? [String: Any])?["args"] as? [String: String] == ["foo": "bar"])
        #expect(try await value.result.get().args == ["foo": "bar"])
    }

    /// Advanced usage of Alamofire 5, "StringResponseSerializer": the charset is the response's.
    @Test("Text is read in the charset of the response", arguments: ["/encoding/utf8", "/encoding/latin1"])
    func charset(path: String) async throws {
        let session = try makeSession()
        let response = await session.request(try hangar(path)).validate().serializingString().response
        let encoding: String.Encoding = path.hasSuffix("utf8") ? .utf8 : .isoLatin1
        let data = try #require(response.data)
        #expect(try response.result.get() == String(data: data, encoding: encoding))
        #expect(response.value?.unicodeScalars.contains { $0.value > 0x7F } == true)
    }

    /// Advanced usage of Alamofire 5, "DataResponseSerializer": empty responses.
    @Test("An empty response is an error, except where the status, the method or the caller allow it")
    func emptyResponses() async throws {
        let session = try makeSession()
        let refused = await session.request(try hangar("/bytes/0")).serializingData().response
        guard case .failure(.responseSerializationFailed(.inputDataNilOrZeroLength)) = refused.result else {
            Issue.record("\(refused.result)")
            return
        }
        #expect(try await session.request(try hangar("/status/204")).serializingData().value.isEmpty)
        #expect(try await session.request(try hangar("/get"), method: .head).serializingData().value.isEmpty)
        let allowed = session.request(try hangar("/bytes/0")).serializingDecodable(
            Empty.self, emptyResponseCodes: [200])
        #expect(try await allowed.value == Empty.value)
    }

    /// Migration to Alamofire 4, "Download Response": `responsePropertyList` is `responseDecodable` with a decoder in
    /// 5.
    @Test("Property lists are read by their decoder")
    func propertyList() async throws {
        let session = try makeSession()
        let url = try hangar("/plist")
        let text = try await session.request(url).serializingString().value
        struct Anything: Decodable, Sendable {
            init(from decoder: any Decoder) throws { _ = try decoder.container(keyedBy: Key.self) }
            struct Key: CodingKey {
                let stringValue: String
                var intValue: Int? { nil }
                init?(stringValue: String) { self.stringValue = stringValue }
                init?(intValue: Int) { nil }
            }
        }
        #expect(text.contains("<plist"))
        let response: AFDataResponse<Anything> = await handled { done in
            session.request(url).responseDecodable(of: Anything.self, decoder: PropertyListDecoder()) { done($0) }
        }
        #expect(response.error == nil)
    }

    /// Advanced usage of Alamofire 5, "Response transforms".
    @Test("A response is turned into another, and keeps its request, response, data and error")
    func transforms() async throws {
        let session = try makeSession()
        let url = try hangar("/get?foo=bar")
        let response: AFDataResponse<SomeType> = await handled { done in
            session.request(url).responseDecodable(of: SomeType.self) { response in
                let propertyResponse = response.map { $0.someProperty }

                debugPrint(propertyResponse)
                done(response)
            }
        }
        let propertyResponse = response.map { $0.someProperty }
        #expect(propertyResponse.value == Property(text: "bar"))
        #expect(propertyResponse.response === response.response && propertyResponse.data == response.data)
        let validated = response.tryMap { try $0.someProperty.validated() }
        #expect(try validated.result.get() == Property(text: "bar"))

        let empty = await session.request(try hangar("/get")).serializingDecodable(SomeType.self).response
        let thrown = empty.tryMap { try $0.someProperty.validated() }
        #expect(thrown.error as? CustomError == CustomError(words: "empty"))
        #expect(thrown.response === empty.response)

        let failed = await session.request(try hangar("/status/404")).validate().serializingData().response
        let renamed = failed.mapError { CustomError(words: "status \($0.responseCode ?? 0)") }
        #expect(renamed.error == CustomError(words: "status 404"))
        let again = failed.tryMapError { _ -> CustomError in throw CustomError(words: "thrown") }
        #expect(again.error as? CustomError == CustomError(words: "thrown"))
    }

    /// Advanced usage of Alamofire 5, "Creating a custom response serializer".
    private struct CommaDelimitedSerializer: ResponseSerializer {
        func serialize(
            request: URLRequest?,
            response: HTTPURLResponse?,
            data: Data?,
            error: (any Error)?
        ) throws -> [String] {
            // Call the existing StringResponseSerializer to get many behaviors automatically.
            let string = try StringResponseSerializer().serialize(
                request: request,
                response: response,
                data: data,
                error: error
            )

            // The seed splits into substrings, which are not strings.
            return Array(string.split(separator: ",").map(String.init))
        }
    }

    @Test("A serializer of the application's own is used for data, for files and with await")
    func customSerializer() async throws {
        let session = try makeSession()
        let url = try hangar("/base64/\(Data("a,b,c".utf8).base64EncodedString())")
        let data: AFDataResponse<[String]> = await handled { done in
            session.request(url).response(responseSerializer: CommaDelimitedSerializer()) { done($0) }
        }
        #expect(data.value == ["a", "b", "c"])
        let file: AFDownloadResponse<[String]> = await handled { done in
            session.download(url).response(responseSerializer: CommaDelimitedSerializer()) { done($0) }
        }
        #expect(file.value == ["a", "b", "c"])
        if let fileURL = file.fileURL { try? FileManager.default.removeItem(at: fileURL) }
        let value = try await session.request(url).serializingResponse(using: CommaDelimitedSerializer()).value
        #expect(value == ["a", "b", "c"])
        let empty = await session.request(try hangar("/bytes/0"))
            .serializingResponse(using: CommaDelimitedSerializer()).response
        #expect(empty.error?.isResponseSerializationError == true)
    }

    /// Migration to Alamofire 4, "Errors": the cases that it lists, with those that Alamofire 5 added under `default`.
    private func kind(_ failure: any Error) -> String {
        if let error = failure as? AFError {
            switch error {
            case .invalidURL(let url):
                return "invalid URL: \(url)"
            case .parameterEncodingFailed(let reason):
                return "parameters: \(reason)"
            case .multipartEncodingFailed(let reason):
                return "multipart: \(reason)"
            case .responseValidationFailed(let reason):
                switch reason {
                case .dataFileNil, .dataFileReadFailed:
                    return "file"
                case .missingContentType(let acceptableContentTypes):
                    return "no type, \(acceptableContentTypes)"
                case .unacceptableContentType(let acceptableContentTypes, let responseContentType):
                    return "type \(responseContentType), not \(acceptableContentTypes)"
                case .unacceptableStatusCode(let code):
                    return "status \(code)"
                default:
                    return "validation"
                }
            case .responseSerializationFailed:
                return "serialization"
            default:
                return (error.underlyingError as? URLError).map { "URL error \($0.code.rawValue)" } ?? "other"
            }
        } else {
            return "unknown"
        }
    }

    @Test("An error is asked for its kind and its reason")
    func errors() async throws {
        let session = try makeSession()
        func failure(_ request: DataRequest) async throws -> String {
            kind(try #require(await request.serializingDecodable(SomeType.self).response.error))
        }
        #expect(try await failure(session.request("")) == "invalid URL: ")
        #expect(try await failure(session.request(try hangar("/status/404")).validate()) == "status 404")
        let typed = session.request(try hangar("/html")).validate(contentType: ["application/json"])
        #expect(try await failure(typed) == #"type text/html, not ["application/json"]"#)
        #expect(try await failure(session.request(try hangar("/html"))) == "serialization")
        let refused = "URL error \(URLError.Code.cannotConnectToHost.rawValue)"
        #expect(try await failure(session.request("http://127.0.0.1:1/")) == refused)
    }
}
