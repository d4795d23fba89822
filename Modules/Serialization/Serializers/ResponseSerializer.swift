public import AirframeCore
public import Foundation

/// A serializer of responses in memory.
public protocol DataResponseSerializerProtocol<SerializedObject>: Sendable {
    /// The type of the value.
    associatedtype SerializedObject: Sendable

    /// Returns the value.
    ///
    /// - Parameters:
    ///   - request: The request that was sent.
    ///   - response: The head of the response.
    ///   - data: The body of the response.
    ///   - error: The error that the request failed with, if any. A serializer that does not handle failures rethrows
    ///     it.
    /// - Throws: Any error. Unless a retrier repeats the request, it is the error of the response; one that is not an
    ///   ``AFError`` is the underlying error of ``AFError/responseSerializationFailed(reason:)``.
    func serialize(request: URLRequest?, response: HTTPURLResponse?, data: Data?, error: (any Error)?) throws
        -> SerializedObject
}

/// A serializer of downloaded files.
public protocol DownloadResponseSerializerProtocol<SerializedObject>: Sendable {
    /// The type of the value.
    associatedtype SerializedObject: Sendable

    /// Returns the value.
    ///
    /// - Parameters:
    ///   - request: The request that was sent.
    ///   - response: The head of the response.
    ///   - fileURL: The downloaded file.
    ///   - error: The error that the request failed with, if any. A serializer that does not handle failures rethrows
    ///     it.
    /// - Throws: Any error. Unless a retrier repeats the request, it is the error of the response; one that is not an
    ///   ``AFError`` is the underlying error of ``AFError/responseSerializationFailed(reason:)``.
    func serializeDownload(request: URLRequest?, response: HTTPURLResponse?, fileURL: URL?, error: (any Error)?) throws
        -> SerializedObject
}

/// A serializer of responses in memory and in files, with rules for empty responses.
public protocol ResponseSerializer<SerializedObject>: DataResponseSerializerProtocol,
    DownloadResponseSerializerProtocol
{
    /// The preprocessor that transforms the data before serialization.
    var dataPreprocessor: any DataPreprocessor { get }
    /// The methods of requests whose responses may be empty.
    var emptyRequestMethods: Set<HTTPMethod> { get }
    /// The status codes of responses that may be empty.
    var emptyResponseCodes: Set<Int> { get }
}

extension ResponseSerializer {
    /// A preprocessor that returns the data unchanged.
    public static var defaultDataPreprocessor: any DataPreprocessor { PassthroughPreprocessor() }
    /// `HEAD`: its responses have no content (RFC 9110 §9.3.2).
    public static var defaultEmptyRequestMethods: Set<HTTPMethod> { EmptyRules.methods }
    /// 204 and 205: responses without content (RFC 9110 §15.3.5, §15.3.6).
    public static var defaultEmptyResponseCodes: Set<Int> { EmptyRules.codes }

    /// The default: a preprocessor that returns the data unchanged.
    public var dataPreprocessor: any DataPreprocessor { Self.defaultDataPreprocessor }
    /// The default: `HEAD`.
    public var emptyRequestMethods: Set<HTTPMethod> { Self.defaultEmptyRequestMethods }
    /// The default: 204 and 205.
    public var emptyResponseCodes: Set<Int> { Self.defaultEmptyResponseCodes }

    /// Returns whether the method of `request` allows an empty response; `nil` without a request.
    public func requestAllowsEmptyResponseData(_ request: URLRequest?) -> Bool? {
        request?.method.map(emptyRequestMethods.contains)
    }

    /// Returns whether the status of `response` allows it to be empty; `nil` without a response.
    public func responseAllowsEmptyResponseData(_ response: HTTPURLResponse?) -> Bool? {
        response.map { emptyResponseCodes.contains($0.statusCode) }
    }

    /// Returns whether the method or the status allows an empty response.
    public func emptyResponseAllowed(forRequest request: URLRequest?, response: HTTPURLResponse?) -> Bool {
        requestAllowsEmptyResponseData(request) == true || responseAllowsEmptyResponseData(response) == true
    }

    /// Returns the response's data, unless it is empty.
    ///
    /// - Returns: The data, or `nil` when it is empty and may be.
    /// - Throws: `error`, or ``AFError/ResponseSerializationFailureReason/inputDataNilOrZeroLength`` when the data is
    ///   empty and may not be.
    func content(
        of data: Data?,
        request: URLRequest?,
        response: HTTPURLResponse?,
        error: (any Error)?
    ) throws -> Data? {
        if let error { throw error }
        guard let data, !data.isEmpty else {
            guard emptyResponseAllowed(forRequest: request, response: response) else {
                throw AFError.responseSerializationFailed(reason: .inputDataNilOrZeroLength)
            }
            return nil
        }
        return try dataPreprocessor.preprocess(data)
    }
}

extension DownloadResponseSerializerProtocol where Self: DataResponseSerializerProtocol {
    /// Reads the whole file into memory and serializes its data.
    ///
    /// - Parameters:
    ///   - request: The request that was sent.
    ///   - response: The head of the response.
    ///   - fileURL: The downloaded file.
    ///   - error: The error of the request, which is thrown again.
    /// - Throws: `error`; ``AFError/responseSerializationFailed(reason:)`` if there is no file or it cannot be read;
    ///   the errors of ``DataResponseSerializerProtocol/serialize(request:response:data:error:)``.
    public func serializeDownload(
        request: URLRequest?,
        response: HTTPURLResponse?,
        fileURL: URL?,
        error: (any Error)?
    ) throws -> SerializedObject {
        if let error { throw error }
        guard let fileURL else { throw AFError.responseSerializationFailed(reason: .inputFileNil) }
        let data: Data
        do {
            data = try Data(contentsOf: fileURL)
        } catch {
            throw AFError.responseSerializationFailed(reason: .inputFileReadFailed(at: fileURL))
        }
        return try serialize(request: request, response: response, data: data, error: error)
    }
}

/// The default rules for empty responses. Shared, because each set costs an allocation.
private enum EmptyRules {
    static let methods: Set<HTTPMethod> = [.head]
    static let codes: Set<Int> = [204, 205]
}
