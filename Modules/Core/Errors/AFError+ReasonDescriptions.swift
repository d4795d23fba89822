internal import AirframeTransport
public import Foundation

/// Returns an error's description with a full stop, so that another sentence may follow.
func sentence(of error: any Error) -> String {
    let words =
        switch error {
        case let error as TransportError: error.description
        case let error as URLError: error.localizedDescription
        case let error as CocoaError: error.localizedDescription
        case let error as any LocalizedError: error.errorDescription ?? String(describing: error)
        // `localizedDescription` of a plain Swift error has only its type and number.
        default: String(describing: error)
        }
    // The errors of other libraries contain URLs, whose secrets are redacted.
    let text = RedactionPolicy.standard.sentence(words)
    return text.hasSuffix(".") ? text : text + "."
}

extension AFError.MultipartEncodingFailureReason {
    var words: String {
        switch self {
        case .bodyPartURLInvalid(let url): "\(Redaction.url(url.absoluteString)) is not the URL of a file."
        case .bodyPartFilenameInvalid(let url):
            "\(Redaction.url(url.absoluteString)) has no file name with an extension."
        case .bodyPartFileNotReachable(let url): "there is no file at \(url.path)."
        case .bodyPartFileNotReachableWithError(let url, let error):
            "the file at \(url.path) cannot be reached: \(sentence(of: error))"
        case .bodyPartFileIsDirectory(let url): "\(url.path) is a directory."
        case .bodyPartFileSizeNotAvailable(let url): "the size of the file at \(url.path) is not known."
        case .bodyPartFileSizeQueryFailedWithError(let url, let error):
            "the size of the file at \(url.path) could not be determined: \(sentence(of: error))"
        case .bodyPartInputStreamCreationFailed(let url): "the file at \(url.path) cannot be opened for reading."
        case .outputStreamCreationFailed(let url): "\(url.path) cannot be opened for writing."
        case .outputStreamFileAlreadyExists(let url): "a file exists at \(url.path) already."
        case .outputStreamURLInvalid(let url): "\(Redaction.url(url.absoluteString)) is not the URL of a file."
        case .outputStreamWriteFailed(let error): "writing failed: \(sentence(of: error))"
        case .inputStreamReadFailed(let error): "reading a part failed: \(sentence(of: error))"
        }
    }
}

extension AFError.UnexpectedInputStreamLength: LocalizedError {
    /// One sentence with both numbers.
    public var errorDescription: String? {
        "A part announced \(bytesExpected) bytes, but its stream provided \(bytesRead)."
    }
}

extension AFError.ParameterEncodingFailureReason {
    var words: String {
        switch self {
        case .missingURL: "the request has no URL."
        case .jsonEncodingFailed(let error): "they are not JSON: \(sentence(of: error))"
        case .customEncodingFailed(let error): sentence(of: error)
        }
    }
}

extension AFError.ParameterEncoderFailureReason {
    var words: String {
        switch self {
        case .missingRequiredComponent(.url): "the request has no URL."
        case .missingRequiredComponent(.httpMethod(let method)):
            "the request has no method to encode them for (\(method.debugDescription))."
        case .encoderFailed(let error): sentence(of: error)
        }
    }
}

extension AFError.ResponseValidationFailureReason {
    var words: String {
        switch self {
        case .dataFileNil: "the download has no file."
        case .dataFileReadFailed(let url): "the downloaded file at \(url.path) cannot be read."
        case .missingContentType(let types):
            "it has no content type, and must have one of \(types.joined(separator: ", "))."
        case .unacceptableContentType(let types, let type):
            "its content type is \(type), and must be one of \(types.joined(separator: ", "))."
        case .unacceptableStatusCode(let code): "its status is \(code)."
        case .customValidationFailed(let error): sentence(of: error)
        }
    }
}

extension AFError.ResponseSerializationFailureReason {
    var words: String {
        switch self {
        case .inputDataNilOrZeroLength: "it has no body."
        case .inputFileNil: "the download has no file."
        case .inputFileReadFailed(let url): "the downloaded file at \(url.path) cannot be read."
        case .stringSerializationFailed(let encoding): "it is not text in \(encoding)."
        case .jsonSerializationFailed(let error): "it is not JSON: \(sentence(of: error))"
        case .decodingFailed(let error): "it could not be decoded: \(sentence(of: error))"
        case .customSerializationFailed(let error): sentence(of: error)
        case .invalidEmptyResponse(let type):
            "it is empty, and \(type) has no empty value; make it conform to EmptyResponse, or expect an Empty."
        }
    }
}

extension AFError.ServerTrustFailureReason: LocalizedError {
    /// One sentence that names the host where it is known.
    public var errorDescription: String? { words }

    var words: String {
        switch self {
        case .noRequiredEvaluator(let host): "there is no evaluator for \(host), and every host must have one."
        case .noCertificatesFound: "there are no certificates to pin."
        case .noPublicKeysFound: "there are no public keys to pin."
        case .policyApplicationFailed(let trust, let policy, let status):
            "the policy \(policy) cannot be applied to \(trust.host) (\(status))."
        case .settingAnchorCertificatesFailed(let status, let certificates):
            "\(certificates.count) anchor certificates cannot be set (\(status))."
        case .revocationPolicyCreationFailed: "the policy for the revocation check cannot be created."
        case .trustEvaluationFailed(let error): error.map { sentence(of: $0) } ?? "the evaluation failed."
        case .defaultEvaluationFailed(let output): "the chain of \(output.host) was refused: \(output.reason)."
        case .hostValidationFailed(let output): "the certificate is not for \(output.host): \(output.reason)."
        case .revocationCheckFailed(let output, _):
            "the revocation check of \(output.host) failed: \(output.reason)."
        case .certificatePinningFailed(let host, let trust, let pinned, let server):
            "none of the \(server.count) certificates of \(host) is among the \(pinned.count) pinned ones\(trust.remarks)."
        case .publicKeyPinningFailed(let host, let trust, let pinned, let server):
            "none of the \(server.count) public keys of \(host) is among the \(pinned.count) pinned ones\(trust.remarks)."
        case .customEvaluationFailed(let error): sentence(of: error)
        }
    }
}

extension ServerTrust {
    fileprivate var remarks: String { remark.map { ": \($0)" } ?? "" }
}
