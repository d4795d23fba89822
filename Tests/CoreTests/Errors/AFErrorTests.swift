import AirframeCore
import AirframeTransport
import Foundation
import Testing

@Suite("AFError", .timeLimit(.minutes(1)))
struct AFErrorTests {
    private struct Cause: Error {}

    private static let url = URL(filePath: "/tmp/file")

    /// Every case with the property that is true for it alone.
    private static let cases: [(AFError, @Sendable (AFError) -> Bool)] = [
        (.createUploadableFailed(error: Cause()), { $0.isCreateUploadableError }),
        (.createURLRequestFailed(error: Cause()), { $0.isCreateURLRequestError }),
        (.downloadedFileMoveFailed(error: Cause(), source: url, destination: url), { $0.isDownloadedFileMoveError }),
        (.explicitlyCancelled, { $0.isExplicitlyCancelledError }),
        (.invalidURL(url: ""), { $0.isInvalidURLError }),
        (.multipartEncodingFailed(reason: .bodyPartFileIsDirectory(at: url)), { $0.isMultipartEncodingError }),
        (.parameterEncodingFailed(reason: .missingURL), { $0.isParameterEncodingError }),
        (.parameterEncoderFailed(reason: .missingRequiredComponent(.url)), { $0.isParameterEncoderError }),
        (.requestAdaptationFailed(error: Cause()), { $0.isRequestAdaptationError }),
        (.requestRetryFailed(retryError: Cause(), originalError: Cause()), { $0.isRequestRetryError }),
        (.responseValidationFailed(reason: .unacceptableStatusCode(code: 404)), { $0.isResponseValidationError }),
        (.responseSerializationFailed(reason: .inputFileNil), { $0.isResponseSerializationError }),
        (.serverTrustEvaluationFailed(reason: .noCertificatesFound), { $0.isServerTrustEvaluationError }),
        (.sessionDeinitialized, { $0.isSessionDeinitializedError }),
        (.sessionInvalidated(error: nil), { $0.isSessionInvalidatedError }),
        (.sessionTaskFailed(error: Cause()), { $0.isSessionTaskError }),
    ]

    @Test("has one property that is true for each case", arguments: cases.indices)
    func questions(index: Int) {
        for (other, (_, question)) in Self.cases.enumerated() {
            #expect(question(Self.cases[index].0) == (index == other))
        }
    }

    @Test("describes each case in one sentence", arguments: cases.indices)
    func sentences(index: Int) {
        let sentence = Self.cases[index].0.errorDescription ?? ""
        #expect(sentence.count > 15)
        #expect(sentence.hasSuffix("."))
        #expect(!sentence.hasSuffix(".."))
        #expect(Self.cases[index].0.localizedDescription == sentence)
    }

    @Test("names the invalid value")
    func values() {
        let types = AFError.responseValidationFailed(
            reason: .unacceptableContentType(acceptableContentTypes: ["a/b", "c/d"], responseContentType: "e/f")
        )
        #expect(types.errorDescription?.contains("e/f") == true)
        #expect(types.errorDescription?.contains("a/b, c/d") == true)
        #expect(types.acceptableContentTypes == ["a/b", "c/d"])
        #expect(types.responseContentType == "e/f")

        let status = AFError.responseValidationFailed(reason: .unacceptableStatusCode(code: 503))
        #expect(status.responseCode == 503)
        #expect(status.errorDescription?.contains("503") == true)

        let text = AFError.responseSerializationFailed(reason: .stringSerializationFailed(encoding: .utf16))
        #expect(text.failedStringEncoding == .utf16)

        let move = AFError.downloadedFileMoveFailed(error: Cause(), source: Self.url, destination: Self.url)
        #expect(move.sourceURL == Self.url && move.destinationURL == Self.url)
        #expect(move.underlyingError is Cause)

        let form = AFError.multipartEncodingFailed(reason: .bodyPartFileNotReachable(at: Self.url))
        #expect(form.url == Self.url)
        #expect(form.errorDescription?.contains("/tmp/file") == true)
    }

    @Test("redacts the secrets of URLs in the messages of underlying errors")
    func secretsBeneath() throws {
        struct Failure: Error, CustomStringConvertible {
            let description = "no adapter for https://u:s3cret@h/?reset_token=s3cret"
        }
        let errors: [AFError] = [
            .requestAdaptationFailed(error: Failure()), .createURLRequestFailed(error: Failure()),
            .responseSerializationFailed(reason: .customSerializationFailed(error: Failure())),
            .multipartEncodingFailed(
                reason: .bodyPartURLInvalid(url: try #require(URL(string: "https://u:s3cret@h/?key=s3cret")))),
        ]
        for error in errors {
            var dumped = ""
            dump(error, to: &dumped)
            for text in ["\(error)", error.localizedDescription, String(reflecting: error), dumped] {
                #expect(!text.contains("s3cret"), "\(text)")
            }
        }
    }

    @Test("redacts the password of an invalid URL")
    func secrets() {
        let error = AFError.invalidURL(url: "http://user:s3cret@host/path?harmless=s3cret")
        #expect(error.errorDescription == #"There is no valid URL in "http://•••@host/path?•••"."#)
    }

    @Test("casts any error to AFError, or replaces it by a default")
    func casting() {
        let error: any Error = AFError.explicitlyCancelled
        #expect(error.asAFError?.isExplicitlyCancelledError == true)
        #expect(error.asAFError(orFailWith: "never").isExplicitlyCancelledError)
        #expect(Cause().asAFError == nil)
        #expect(Cause().asAFError(or: .sessionDeinitialized).isSessionDeinitializedError)
    }

    @Test("describes trust failures by host and counts, and has the certificates in DER")
    func trust() {
        let output = AFError.ServerTrustFailureReason.Output(
            host: "h.test",
            trust: ServerTrust(chain: [DER([1])], host: "h.test"),
            status: 10,
            result: .recoverableTrustFailure,
            reason: "certificate has expired"
        )
        let expired = AFError.serverTrustEvaluationFailed(reason: .defaultEvaluationFailed(output: output))
        #expect(expired.errorDescription?.contains("h.test") == true)
        #expect(expired.errorDescription?.contains("certificate has expired") == true)
        let pinned = AFError.serverTrustEvaluationFailed(
            reason: .publicKeyPinningFailed(
                host: "h.test",
                trust: output.trust,
                pinnedKeys: [DER([1]), DER([2])],
                serverKeys: []
            )
        )
        #expect(pinned.errorDescription?.contains("2 pinned") == true)
    }

    @Test("has the resume data of a download")
    func resumeData() {
        let data = Data("resume".utf8)
        let error = URLError(.networkConnectionLost, userInfo: [AFError.resumeDataKey: data])
        #expect(AFError.sessionTaskFailed(error: error).downloadResumeData == data)
        #expect(AFError.explicitlyCancelled.downloadResumeData == nil)
    }
}

@Suite("AFError of a transport's error", .timeLimit(.minutes(1)))
struct AFErrorTransportTests {
    private struct Refusal: Error {}

    private let url = URL(string: "https://h.test/")

    private func error(_ code: TransportError.Code, underlying: (any Error)? = nil) -> TransportError {
        TransportError(
            code,
            phase: .connect,
            processing: .notSent,
            message: "the message",
            origin: Origin(scheme: "https", host: "h.test"),
            underlying: underlying
        )
    }

    @Test(
        "is a URLError with Foundation's code",
        arguments: [
            (TransportError.Code.timedOut, URLError.Code.timedOut), (.nameResolutionFailed, .cannotFindHost),
            (.connectFailed, .cannotConnectToHost), (.connectionLost, .networkConnectionLost),
            (.networkUnreachable, .notConnectedToInternet), (.tlsFailed, .secureConnectionFailed),
            (.tooManyRedirects, .httpTooManyRedirects), (.malformedResponse, .cannotParseResponse),
            (.unsupportedScheme, .unsupportedURL), (.clientIdentityRefused, .clientCertificateRequired),
            (.engineFailure, .unknown), (TransportError.Code(rawValue: "another"), .unknown),
        ]
    )
    func codes(code: TransportError.Code, expected: URLError.Code) {
        let error = AFError.transport(error(code), url: url)
        #expect(error.isSessionTaskError)
        let urlError = error.underlyingError as? URLError
        #expect(urlError?.code == expected)
        #expect(urlError?.failingURL == url)
        #expect(urlError?.userInfo["NSErrorFailingURLStringKey"] as? String == url?.absoluteString)
        #expect(error.transportError?.code == code)
        #expect(error.errorDescription?.contains("the message") == true)
        #expect(error.errorDescription?.contains("https://h.test:443") == true)
    }

    @Test("has the failing URL as text without its secrets")
    func secrets() throws {
        let secret = try #require(URL(string: "https://user:secret@h.test/?token=secret"))
        let urlError = AFError.transport(error(.timedOut), url: secret).underlyingError as? URLError
        let text = try #require(urlError?.userInfo["NSErrorFailingURLStringKey"] as? String)
        #expect(text.contains("h.test") && !text.contains("secret"))
    }

    @Test("is explicitlyCancelled for a cancellation")
    func cancellation() {
        #expect(AFError.transport(error(.cancelled), url: url).isExplicitlyCancelledError)
    }

    @Test("is the evaluator's reason for a server that it rejected")
    func trust() {
        let reason = AFError.ServerTrustFailureReason.noRequiredEvaluator(host: "h.test")
        for underlying: any Error in [reason, AFError.serverTrustEvaluationFailed(reason: reason)] {
            let error = AFError.transport(error(.trustRefused, underlying: underlying), url: url)
            guard case .serverTrustEvaluationFailed(.noRequiredEvaluator("h.test")) = error else {
                Issue.record("\(error)")
                continue
            }
        }
    }

    @Test("a certificate that the engine rejects, without a trust manager, is sessionTaskFailed")
    func engineTrust() {
        let error = AFError.transport(error(.trustRefused), url: url)
        #expect(error.isSessionTaskError && !error.isServerTrustEvaluationError)
        #expect((error.underlyingError as? URLError)?.code == .serverCertificateUntrusted)
        #expect(error.transportError?.code == .trustRefused)
    }

    @Test("keeps the transport's message for a server that another evaluator rejected")
    func otherTrust() {
        let error = AFError.transport(error(.trustRefused, underlying: Refusal()), url: url)
        #expect(error.isServerTrustEvaluationError)
        #expect(error.transportError?.code == .trustRefused)
    }

    @Test("is the underlying error of a failed retry")
    func retry() {
        let original = AFError.transport(error(.timedOut), url: url)
        let error = AFError.requestRetryFailed(retryError: Refusal(), originalError: original)
        #expect(error.transportError?.isTimeout == true)
        #expect(AFError.explicitlyCancelled.transportError == nil)
    }
}
