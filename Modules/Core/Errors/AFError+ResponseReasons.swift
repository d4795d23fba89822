public import Foundation

extension AFError {
    /// The reasons why a response is not valid.
    public enum ResponseValidationFailureReason: Sendable {
        /// A download has no file.
        case dataFileNil
        /// A download's file cannot be read.
        case dataFileReadFailed(at: URL)
        /// The response has a body without a content type, and `*/*` is not acceptable.
        case missingContentType(acceptableContentTypes: [String])
        /// The response's content type is not acceptable.
        case unacceptableContentType(acceptableContentTypes: [String], responseContentType: String)
        /// The response's status is not acceptable.
        case unacceptableStatusCode(code: Int)
        /// A custom validation threw an error.
        case customValidationFailed(error: any Error)
    }

    /// The reasons why a response could not be serialized.
    public enum ResponseSerializationFailureReason: Sendable {
        /// There is no body, and the response must have one.
        case inputDataNilOrZeroLength
        /// A download has no file.
        case inputFileNil
        /// A download's file cannot be read.
        case inputFileReadFailed(at: URL)
        /// The body is not text in this encoding.
        case stringSerializationFailed(encoding: String.Encoding)
        /// The body is not JSON.
        case jsonSerializationFailed(error: any Error)
        /// The body could not be decoded.
        case decodingFailed(error: any Error)
        /// A custom serializer threw an error.
        case customSerializationFailed(error: any Error)
        /// An empty body cannot become a value of this type.
        case invalidEmptyResponse(type: String)
    }
}
