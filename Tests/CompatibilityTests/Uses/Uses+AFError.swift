// swift-format-ignore-file
// Made by Tools/compatibility/generate.py from Core/AFError.swift; do not edit.

import Airframe
import AirframeCore
import AirframeEncoding
import AirframeReachability
import AirframeSecurity
import AirframeSerialization
import AirframeTransport
import AirframeWebSocket
import Dispatch
import Foundation

/// The symbols of Core/AFError.swift, each used as it is declared. Nothing calls this: that it compiles is the test.
enum UsesAFError {
    static func use4(_: AFError.Type) {}
    static func use5(_: AFError.MultipartEncodingFailureReason.Type) {}
    static func use6(_ receiver: AFError.MultipartEncodingFailureReason) { if case .bodyPartURLInvalid(url: _) = receiver {} }
    static func use7(_ receiver: AFError.MultipartEncodingFailureReason) { if case .bodyPartFilenameInvalid(in: _) = receiver {} }
    static func use8(_ receiver: AFError.MultipartEncodingFailureReason) { if case .bodyPartFileNotReachable(at: _) = receiver {} }
    static func use9(_ receiver: AFError.MultipartEncodingFailureReason) { if case .bodyPartFileNotReachableWithError(atURL: _, error: _) = receiver {} }
    static func use10(_ receiver: AFError.MultipartEncodingFailureReason) { if case .bodyPartFileIsDirectory(at: _) = receiver {} }
    static func use11(_ receiver: AFError.MultipartEncodingFailureReason) { if case .bodyPartFileSizeNotAvailable(at: _) = receiver {} }
    static func use12(_ receiver: AFError.MultipartEncodingFailureReason) { if case .bodyPartFileSizeQueryFailedWithError(forURL: _, error: _) = receiver {} }
    static func use13(_ receiver: AFError.MultipartEncodingFailureReason) { if case .bodyPartInputStreamCreationFailed(for: _) = receiver {} }
    static func use14(_ receiver: AFError.MultipartEncodingFailureReason) { if case .outputStreamCreationFailed(for: _) = receiver {} }
    static func use15(_ receiver: AFError.MultipartEncodingFailureReason) { if case .outputStreamFileAlreadyExists(at: _) = receiver {} }
    static func use16(_ receiver: AFError.MultipartEncodingFailureReason) { if case .outputStreamURLInvalid(url: _) = receiver {} }
    static func use17(_ receiver: AFError.MultipartEncodingFailureReason) { if case .outputStreamWriteFailed(error: _) = receiver {} }
    static func use18(_ receiver: AFError.MultipartEncodingFailureReason) { if case .inputStreamReadFailed(error: _) = receiver {} }
    static func use19(_: AFError.UnexpectedInputStreamLength.Type) {}
    static func use20(_ receiver: AFError.UnexpectedInputStreamLength) { _ = receiver.bytesExpected }
    static func use21(_ receiver: AFError.UnexpectedInputStreamLength) { _ = receiver.bytesRead }
    static func use22(_: AFError.ParameterEncodingFailureReason.Type) {}
    static func use23(_ receiver: AFError.ParameterEncodingFailureReason) { if case .missingURL = receiver {} }
    static func use24(_ receiver: AFError.ParameterEncodingFailureReason) { if case .jsonEncodingFailed(error: _) = receiver {} }
    static func use25(_ receiver: AFError.ParameterEncodingFailureReason) { if case .customEncodingFailed(error: _) = receiver {} }
    static func use26(_: AFError.ParameterEncoderFailureReason.Type) {}
    static func use27(_: AFError.ParameterEncoderFailureReason.RequiredComponent.Type) {}
    static func use28(_ receiver: AFError.ParameterEncoderFailureReason.RequiredComponent) { if case .url = receiver {} }
    static func use29(_ receiver: AFError.ParameterEncoderFailureReason.RequiredComponent) { if case .httpMethod(rawValue: _) = receiver {} }
    static func use30(_ receiver: AFError.ParameterEncoderFailureReason) { if case .missingRequiredComponent(_) = receiver {} }
    static func use31(_ receiver: AFError.ParameterEncoderFailureReason) { if case .encoderFailed(error: _) = receiver {} }
    static func use32(_: AFError.ResponseValidationFailureReason.Type) {}
    static func use33(_ receiver: AFError.ResponseValidationFailureReason) { if case .dataFileNil = receiver {} }
    static func use34(_ receiver: AFError.ResponseValidationFailureReason) { if case .dataFileReadFailed(at: _) = receiver {} }
    static func use35(_ receiver: AFError.ResponseValidationFailureReason) { if case .missingContentType(acceptableContentTypes: _) = receiver {} }
    static func use36(_ receiver: AFError.ResponseValidationFailureReason) { if case .unacceptableContentType(acceptableContentTypes: _, responseContentType: _) = receiver {} }
    static func use37(_ receiver: AFError.ResponseValidationFailureReason) { if case .unacceptableStatusCode(code: _) = receiver {} }
    static func use38(_ receiver: AFError.ResponseValidationFailureReason) { if case .customValidationFailed(error: _) = receiver {} }
    static func use39(_: AFError.ResponseSerializationFailureReason.Type) {}
    static func use40(_ receiver: AFError.ResponseSerializationFailureReason) { if case .inputDataNilOrZeroLength = receiver {} }
    static func use41(_ receiver: AFError.ResponseSerializationFailureReason) { if case .inputFileNil = receiver {} }
    static func use42(_ receiver: AFError.ResponseSerializationFailureReason) { if case .inputFileReadFailed(at: _) = receiver {} }
    static func use43(_ receiver: AFError.ResponseSerializationFailureReason) { if case .stringSerializationFailed(encoding: _) = receiver {} }
    static func use44(_ receiver: AFError.ResponseSerializationFailureReason) { if case .jsonSerializationFailed(error: _) = receiver {} }
    static func use45(_ receiver: AFError.ResponseSerializationFailureReason) { if case .decodingFailed(error: _) = receiver {} }
    static func use46(_ receiver: AFError.ResponseSerializationFailureReason) { if case .customSerializationFailed(error: _) = receiver {} }
    static func use47(_ receiver: AFError.ResponseSerializationFailureReason) { if case .invalidEmptyResponse(type: _) = receiver {} }
    static func use48(_: AFError.ServerTrustFailureReason.Type) {}
    static func use49(_: AFError.ServerTrustFailureReason.Output.Type) {}
    static func use50(_ receiver: AFError.ServerTrustFailureReason.Output) { _ = receiver.host }
    static func use51(_ receiver: AFError.ServerTrustFailureReason.Output) { _ = receiver.trust }
    static func use52(_ receiver: AFError.ServerTrustFailureReason.Output) { _ = receiver.status }
    static func use53(_ receiver: AFError.ServerTrustFailureReason.Output) { _ = receiver.result }
    static func use54(_ receiver: AFError.ServerTrustFailureReason) { if case .noRequiredEvaluator(host: _) = receiver {} }
    static func use55(_ receiver: AFError.ServerTrustFailureReason) { if case .noCertificatesFound = receiver {} }
    static func use56(_ receiver: AFError.ServerTrustFailureReason) { if case .noPublicKeysFound = receiver {} }
    static func use57(_ receiver: AFError.ServerTrustFailureReason) { if case .policyApplicationFailed(trust: _, policy: _, status: _) = receiver {} }
    static func use58(_ receiver: AFError.ServerTrustFailureReason) { if case .settingAnchorCertificatesFailed(status: _, certificates: _) = receiver {} }
    static func use59(_ receiver: AFError.ServerTrustFailureReason) { if case .revocationPolicyCreationFailed = receiver {} }
    static func use60(_ receiver: AFError.ServerTrustFailureReason) { if case .trustEvaluationFailed(error: _) = receiver {} }
    static func use61(_ receiver: AFError.ServerTrustFailureReason) { if case .defaultEvaluationFailed(output: _) = receiver {} }
    static func use62(_ receiver: AFError.ServerTrustFailureReason) { if case .hostValidationFailed(output: _) = receiver {} }
    static func use63(_ receiver: AFError.ServerTrustFailureReason) { if case .revocationCheckFailed(output: _, options: _) = receiver {} }
    static func use64(_ receiver: AFError.ServerTrustFailureReason) { if case .certificatePinningFailed(host: _, trust: _, pinnedCertificates: _, serverCertificates: _) = receiver {} }
    static func use65(_ receiver: AFError.ServerTrustFailureReason) { if case .publicKeyPinningFailed(host: _, trust: _, pinnedKeys: _, serverKeys: _) = receiver {} }
    static func use66(_ receiver: AFError.ServerTrustFailureReason) { if case .customEvaluationFailed(error: _) = receiver {} }
    static func use67(_: AFError.URLRequestValidationFailureReason.Type) {}
    static func use68(_ receiver: AFError.URLRequestValidationFailureReason) { if case .bodyDataInGETRequest(_) = receiver {} }
    static func use69(_ receiver: AFError) { if case .createUploadableFailed(error: _) = receiver {} }
    static func use70(_ receiver: AFError) { if case .createURLRequestFailed(error: _) = receiver {} }
    static func use71(_ receiver: AFError) { if case .downloadedFileMoveFailed(error: _, source: _, destination: _) = receiver {} }
    static func use72(_ receiver: AFError) { if case .explicitlyCancelled = receiver {} }
    static func use73(_ receiver: AFError) { if case .invalidURL(url: _) = receiver {} }
    static func use74(_ receiver: AFError) { if case .multipartEncodingFailed(reason: _) = receiver {} }
    static func use75(_ receiver: AFError) { if case .parameterEncodingFailed(reason: _) = receiver {} }
    static func use76(_ receiver: AFError) { if case .parameterEncoderFailed(reason: _) = receiver {} }
    static func use77(_ receiver: AFError) { if case .requestAdaptationFailed(error: _) = receiver {} }
    static func use78(_ receiver: AFError) throws { if case .requestRetryFailed(retryError: _, originalError: _) = receiver {} }
    static func use79(_ receiver: AFError) { if case .responseValidationFailed(reason: _) = receiver {} }
    static func use80(_ receiver: AFError) { if case .responseSerializationFailed(reason: _) = receiver {} }
    static func use81(_ receiver: AFError) { if case .serverTrustEvaluationFailed(reason: _) = receiver {} }
    static func use82(_ receiver: AFError) { if case .sessionDeinitialized = receiver {} }
    static func use83(_ receiver: AFError) { if case .sessionInvalidated(error: _) = receiver {} }
    static func use84(_ receiver: AFError) { if case .sessionTaskFailed(error: _) = receiver {} }
    static func use85(_ receiver: AFError) { if case .urlRequestValidationFailed(reason: _) = receiver {} }
    static func use86(_ receiver: any Error) { _ = receiver.asAFError }
    static func use87(_ receiver: any Error, _ a0: @escaping () -> String, _ a1: StaticString, _ a2: UInt) { _ = receiver.asAFError(orFailWith: a0(), file: a1, line: a2); _ = receiver.asAFError(orFailWith: a0()) }
    static func use88(_ receiver: AFError) { _ = receiver.isSessionDeinitializedError }
    static func use89(_ receiver: AFError) { _ = receiver.isSessionInvalidatedError }
    static func use90(_ receiver: AFError) { _ = receiver.isExplicitlyCancelledError }
    static func use91(_ receiver: AFError) { _ = receiver.isInvalidURLError }
    static func use92(_ receiver: AFError) { _ = receiver.isParameterEncodingError }
    static func use93(_ receiver: AFError) { _ = receiver.isParameterEncoderError }
    static func use94(_ receiver: AFError) { _ = receiver.isMultipartEncodingError }
    static func use95(_ receiver: AFError) { _ = receiver.isRequestAdaptationError }
    static func use96(_ receiver: AFError) { _ = receiver.isResponseValidationError }
    static func use97(_ receiver: AFError) { _ = receiver.isResponseSerializationError }
    static func use98(_ receiver: AFError) { _ = receiver.isServerTrustEvaluationError }
    static func use99(_ receiver: AFError) throws { _ = receiver.isRequestRetryError }
    static func use100(_ receiver: AFError) { _ = receiver.isCreateUploadableError }
    static func use101(_ receiver: AFError) { _ = receiver.isCreateURLRequestError }
    static func use102(_ receiver: AFError) { _ = receiver.isDownloadedFileMoveError }
    static func use103(_ receiver: AFError) { _ = receiver.isSessionTaskError }
    static func use104(_ receiver: AFError) { _ = receiver.urlConvertible }
    static func use105(_ receiver: AFError) { _ = receiver.url }
    static func use106(_ receiver: AFError) { _ = receiver.underlyingError }
    static func use107(_ receiver: AFError) { _ = receiver.acceptableContentTypes }
    static func use108(_ receiver: AFError) { _ = receiver.responseContentType }
    static func use109(_ receiver: AFError) { _ = receiver.responseCode }
    static func use110(_ receiver: AFError) { _ = receiver.failedStringEncoding }
    static func use111(_ receiver: AFError) { _ = receiver.sourceURL }
    static func use112(_ receiver: AFError) { _ = receiver.destinationURL }
    static func use113(_ receiver: AFError) { _ = receiver.downloadResumeData }
    static func use114(_ receiver: AFError) { _ = receiver.errorDescription }
}
