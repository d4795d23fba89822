import AirframeLegacy
import AirframeTestSupport
import Foundation
import Testing

@Suite("Forms, policies and header fields of Alamofire 4", .timeLimit(.minutes(1)))
struct LegacyFormTests {
    @Test(
        "a form's request is passed to the completion, with the place of its content",
        .enabled(if: Peers.areExpected),
        arguments: [UInt64(0), 1_000_000])
    func forms(threshold: UInt64) async throws { try await (Forms(threshold: threshold) as any Sample).run() }

    private struct Forms: Sample {
        let threshold: UInt64

        @available(*, deprecated)
        func run() async throws {
            let url = try hangar("/post")
            let response = await handled { (done: @escaping @Sendable (AFDataResponse<Echoed>?) -> Void) in
                Alamofire.upload(
                    multipartFormData: { form in form.append(Data("Ada".utf8), withName: "name") },
                    usingThreshold: threshold,
                    to: url,
                    encodingCompletion: { result in
                        switch result {
                        case .success(let upload, let isOnDisk, let file):
                            #expect(isOnDisk == (threshold == 0) && file == nil)
                            upload.responseDecodable(of: Echoed.self) { done($0) }
                        case .failure: done(nil)
                        }
                    }
                )
            }
            #expect(response?.value?.form == ["name": "Ada"])
        }
    }

    @Test("a missing file and an invalid URL are failures")
    func failures() async throws { try await (Failures() as any Sample).run() }

    private struct Failures: Sample {
        @available(*, deprecated)
        func run() async throws {
            typealias Result = SessionManager.MultipartFormDataEncodingResult
            let manager = SessionManager()
            let urlRequest = try URLRequest(url: "http://api.test/", method: .post)
            let noFile = await handled { (done: @escaping @Sendable (Result) -> Void) in
                manager.upload(
                    multipartFormData: { $0.append(URL(fileURLWithPath: "/nonexistent/photo.png"), withName: "photo") },
                    with: urlRequest,
                    queue: .global(),
                    encodingCompletion: done
                )
            }
            guard case .failure(let formError) = noFile else {
                Issue.record("\(noFile)")
                return
            }
            #expect(formError.asAFError?.isMultipartEncodingError == true)
            let noURL = await handled { (done: @escaping @Sendable (Result) -> Void) in
                manager.upload(
                    multipartFormData: { $0.append(Data(), withName: "name") },
                    to: "",
                    queue: .global(),
                    encodingCompletion: done
                )
            }
            guard case .failure(let urlError) = noURL else {
                Issue.record("\(noURL)")
                return
            }
            #expect(urlError.asAFError?.isInvalidURLError == true)
        }
    }

    @Test("each policy is an evaluator, and the engine evaluates other hosts")
    func policies() async throws { try await (Policies() as any Sample).run() }

    private struct Policies: Sample {
        @available(*, deprecated)
        func run() async throws {
            let policies: [String: ServerTrustPolicy] = [
                "default.test": .performDefaultEvaluation(validateHost: true),
                "revoked.test": .performRevokedEvaluation(validateHost: true, revocationFlags: 3),
                "pinned.test": .pinCertificates(
                    certificates: [], validateCertificateChain: true, validateHost: true),
                "key.test": .pinPublicKeys(publicKeys: [], validateCertificateChain: true, validateHost: true),
                "disabled.test": .disableEvaluation,
                "custom.test": .customEvaluation({ trust, host in trust.host == host }),
            ]
            let manager = ServerTrustPolicyManager(policies: policies)
            #expect(try manager.serverTrustEvaluator(forHost: "default.test") is DefaultTrustEvaluator)
            #expect(try manager.serverTrustEvaluator(forHost: "revoked.test") is RevocationTrustEvaluator)
            #expect(try manager.serverTrustEvaluator(forHost: "pinned.test") is PinnedCertificatesTrustEvaluator)
            #expect(try manager.serverTrustEvaluator(forHost: "key.test") is PublicKeysTrustEvaluator)
            #expect(try manager.serverTrustEvaluator(forHost: "disabled.test") is DisabledTrustEvaluator)
            #expect(try manager.serverTrustEvaluator(forHost: "other.test") == nil)
            let custom = try #require(try manager.serverTrustEvaluator(forHost: "custom.test"))
            let trust = ServerTrust(chain: [], host: "custom.test")
            try custom.evaluate(trust, forHost: "custom.test")
            #expect(throws: (any Error).self) { try custom.evaluate(trust, forHost: "other.test") }
        }
    }

    @Test("the default header fields are the additional ones of a configuration")
    func headers() async throws { try await (Headers() as any Sample).run() }

    private struct Headers: Sample {
        @available(*, deprecated)
        func run() async throws {
            var defaultHeaders = Alamofire.SessionManager.defaultHTTPHeaders
            defaultHeaders["DNT"] = "1"
            let configuration = URLSessionConfiguration.default
            configuration.httpAdditionalHeaders = defaultHeaders
            #expect(configuration.headers["DNT"] == "1")
            #expect(configuration.headers["User-Agent"] == HTTPHeaders.default["User-Agent"])
        }
    }
}
