public import Foundation

extension AFError {
    /// The reasons why a multipart form could not be encoded.
    public enum MultipartEncodingFailureReason: Sendable {
        /// The URL of a part is not a file's.
        case bodyPartURLInvalid(url: URL)
        /// The file's URL ends without a name or an extension.
        case bodyPartFilenameInvalid(in: URL)
        /// There is no such file.
        case bodyPartFileNotReachable(at: URL)
        /// The file's status could not be read.
        case bodyPartFileNotReachableWithError(atURL: URL, error: any Error)
        /// The file is a directory.
        case bodyPartFileIsDirectory(at: URL)
        /// The file has no size.
        case bodyPartFileSizeNotAvailable(at: URL)
        /// Reading the file's size failed.
        case bodyPartFileSizeQueryFailedWithError(forURL: URL, error: any Error)
        /// The file cannot be opened for reading.
        case bodyPartInputStreamCreationFailed(for: URL)
        /// The file for the encoded form cannot be opened for writing.
        case outputStreamCreationFailed(for: URL)
        /// A file exists at the location of the encoded form.
        case outputStreamFileAlreadyExists(at: URL)
        /// The URL for the encoded form is not a file's.
        case outputStreamURLInvalid(url: URL)
        /// Writing the encoded form failed.
        case outputStreamWriteFailed(error: any Error)
        /// Reading a part failed.
        case inputStreamReadFailed(error: any Error)
    }

    /// A part had another number of bytes than it had announced.
    public struct UnexpectedInputStreamLength: Error, Sendable, Hashable {
        /// The number of bytes announced.
        public var bytesExpected: UInt64
        /// The number of bytes read.
        public var bytesRead: UInt64

        /// Describes the difference.
        public init(bytesExpected: UInt64, bytesRead: UInt64) {
            self.bytesExpected = bytesExpected
            self.bytesRead = bytesRead
        }
    }

    /// The reasons why a `ParameterEncoding` failed.
    public enum ParameterEncodingFailureReason: Sendable {
        /// The request has no URL.
        case missingURL
        /// The parameters could not be encoded as JSON.
        case jsonEncodingFailed(error: any Error)
        /// A custom encoding threw an error.
        case customEncodingFailed(error: any Error)
    }

    /// The reasons why a `ParameterEncoder` failed.
    public enum ParameterEncoderFailureReason: Sendable {
        /// A component of a request that an encoder requires.
        public enum RequiredComponent: Sendable, Hashable {
            /// The URL.
            case url
            /// The method.
            case httpMethod(rawValue: String)
        }

        /// The request lacks a component.
        case missingRequiredComponent(RequiredComponent)
        /// The underlying encoder threw an error.
        case encoderFailed(error: any Error)
    }

    /// The rules that a request can break.
    public enum URLRequestValidationFailureReason: Sendable {
        /// A `GET` has a body.
        case bodyDataInGETRequest(Data)
    }
}
