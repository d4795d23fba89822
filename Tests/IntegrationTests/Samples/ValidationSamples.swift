import Airframe
import AirframeTestSupport
import Foundation
import Testing

@Suite("Samples: validation", .enabled(if: Peers.areExpected), .overEachEngine, .timeLimit(.minutes(2)))
struct ValidationSamples {
    /// Advanced usage of Alamofire 5, "DataRequest", "Validation".
    @Test("A response of any status is a success, until it is validated")
    func status() async throws {
        let session = try makeSession()
        let url = try hangar("/status/500")
        #expect(await session.request(url).serializingData(emptyResponseCodes: [500]).response.error == nil)
        let error = await session.request(url).validate().serializingData(emptyResponseCodes: [500]).response.error
        #expect(error?.responseCode == 500)
        let accepted = session.request(url).validate(statusCode: 500..<600)
        #expect(await accepted.serializingData(emptyResponseCodes: [500]).response.error == nil)
    }

    /// Advanced usage of Alamofire 5, "DataRequest", "Validation": the types come from the request's `Accept` field.
    @Test("validate() compares the content type with the request's `Accept` field")
    func acceptableTypes() async throws {
        let session = try makeSession()
        let url = try hangar("/html")
        let refused = await session.request(url, headers: [.accept("application/json")]).validate()
            .serializingData().response.error
        #expect(refused?.acceptableContentTypes == ["application/json"])
        #expect(refused?.responseContentType?.hasPrefix("text/html") == true)
        for accepted in ["text/*", "*/*", "text/html"] {
            let response = await session.request(url, headers: [.accept(accepted)]).validate()
                .serializingData().response
            #expect(response.error == nil, "\(accepted)")
        }
    }

    /// Advanced usage of Alamofire 5, "Validation", and migration to Alamofire 4, "Data Request".
    @Test("A closure validates the request, the response and its data")
    func closure() async throws {
        let session = try makeSession()
        let customError = CustomError(words: "no data")
        let url = try hangar("/get")
        let response: AFDataResponse<Data?> = await handled { done in
            session.request(url)
                .validate { request, response, data in
                    guard let data else { return .failure(customError) }
                    #expect(request?.url == response.url && !data.isEmpty)
                    return .success(())
                }
                .response { response in
                    debugPrint(response)
                    done(response)
                }
        }
        #expect(response.error == nil)
    }

    /// Notes on the requests of Alamofire 4, "Custom validation": the sample adds it after the handler.
    @Test("A validation that is added after the handler still comes before it, and its error is the response's")
    func validationAfterHandler() async throws {
        let session = try makeSession()
        let url = try hangar("/status/404")
        let response: AFDataResponse<Data?> = await handled { done in
            session.request(url, method: .post, parameters: ["page": "1", "size": "20"])
                .response { response in done(response) }
                .validate { request, response, data in
                    if response.statusCode == 404 {
                        return .failure(NSError(domain: "wrong password", code: response.statusCode, userInfo: nil))
                    }
                    return .success(())
                }
        }
        guard case .failure(.responseValidationFailed(.customValidationFailed(let error))) = response.result else {
            Issue.record("\(response.result)")
            return
        }
        #expect((error as NSError).domain == "wrong password" && (error as NSError).code == 404)
    }

    /// Migration to Alamofire 4, "Download Request": one file URL in 5 stands for the temporary and the last one.
    @Test("A closure validates a download by its file")
    func downloads() async throws {
        let session = try makeSession()
        let customError = CustomError(words: "no file")
        let url = try hangar("/bytes/100")
        let response: AFDownloadResponse<URL?> = await handled { done in
            session.download(url)
                .validate { request, response, fileURL in
                    guard let fileURL else { return .failure(customError) }

                    do {
                        let data = try Data(contentsOf: fileURL)
                        return data.count == 100 ? .success(()) : .failure(customError)
                    } catch {
                        return .failure(customError)
                    }
                }
                .response { response in
                    debugPrint(response)
                    done(response)
                }
        }
        #expect(response.error == nil)
        if let fileURL = response.fileURL { try? FileManager.default.removeItem(at: fileURL) }
        let refused = await session.download(url).validate { _, _, _ in .failure(customError) }
            .serializingData().response
        #expect(refused.error?.underlyingError as? CustomError == customError)
    }
}
