import AirframeLegacy
import AirframeTestSupport
import Foundation
import Testing

/// The samples of "Learning Alamofire 3.4.1" (document 3), and those of the migration guide (document 4) that are
/// marked "Alamofire 3", as they are printed but for their servers.
@Suite("Samples for Alamofire 3", .enabled(if: Peers.areExpected), .timeLimit(.minutes(1)))
struct Alamofire3Samples {
    /// Learning Alamofire 3.4.1, "Alamofire.swift", "Request".
    @Test("the method comes first; four arguments; .JSON; progress; validation of two arguments")
    func requests() async throws { try await (Requests() as any Sample).run() }

    private struct Requests: Sample {
        @available(*, deprecated)
        func run() async throws {
            let urlString = try hangar("/anything")
            let json = await handled { (done: @escaping @Sendable (AFDataResponse<Any>) -> Void) in
                Alamofire.request(.GET, urlString).validate().responseJSON { response in
                    debugPrint(response)
                    done(response)
                }
            }
            #expect(json.result.isSuccess)

            let status = await handled { (done: @escaping @Sendable (Int?) -> Void) in
                Alamofire.request(.GET, urlString).response { request, response, data, error in
                    print(request as Any)
                    print(response as Any)
                    print(data as Any)
                    print(error as Any)
                    done(response?.statusCode)
                }
            }
            #expect(status == 200)

            let parameters: [String: AnyObject] = ["foo": NSString(string: "bar")]
            let complex = await handled { (done: @escaping @Sendable (AFDataResponse<Any>) -> Void) in
                Alamofire.request(.POST, urlString, parameters: ["foo": "bar"], encoding: .JSON)
                    .progress { bytesRead, totalBytesRead, totalBytesExpectedToRead in
                        print("Bytes: \(bytesRead), Total: \(totalBytesRead), Expected: \(totalBytesExpectedToRead)")
                    }
                    .validate { request, response in
                        return .success
                    }
                    .responseJSON { response in
                        debugPrint(response)
                        done(response)
                    }
            }
            #expect(((complex.result.value as? [String: Any])?["json"] as? [String: Any])?["foo"] as? String == "bar")
            #expect(parameters.count == 1 && Manager.sharedInstance === SessionManager.default)
        }
    }

    /// Migration to Alamofire 4, "Upload Request", "Download Request" as marked Alamofire 3.
    @Test("uploads and downloads")
    func transfers() async throws { try await (Transfers() as any Sample).run() }

    private struct Transfers: Sample {
        @available(*, deprecated)
        func run() async throws {
            let urlString = try hangar("/anything")
            let data = Data("content".utf8)
            let status = await handled { (done: @escaping @Sendable (Int?) -> Void) in
                Alamofire.upload(.POST, urlString, data: data).response { request, response, data, error in
                    done(response?.statusCode)
                }
            }
            #expect(status == 200)
            let destination = DownloadRequest.suggestedDownloadDestination(
                for: .cachesDirectory, in: .userDomainMask,
                options: [.removePreviousFile, .createIntermediateDirectories])
            let file = await handled { (done: @escaping @Sendable (URL?) -> Void) in
                Alamofire.download(.GET, urlString, destination: destination).response {
                    request, response, file, error in
                    done(file)
                }
            }
            let place = try #require(file)
            #expect(FileManager.default.fileExists(atPath: place.path))
            try FileManager.default.removeItem(at: place)
        }
    }
}
