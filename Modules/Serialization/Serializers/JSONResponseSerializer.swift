public import AirframeCore
public import Foundation

/// A serializer that returns the response's JSON as `JSONSerialization` represents it: dictionaries, arrays, strings,
/// numbers and `NSNull`.
///
/// For compatibility with Alamofire. Prefer ``DecodableResponseSerializer``, which returns typed values.
@available(*, deprecated, message: "use DecodableResponseSerializer, which makes values with types")
public final class JSONResponseSerializer: ResponseSerializer {
    /// The preprocessor that transforms the data before serialization.
    public let dataPreprocessor: any DataPreprocessor
    /// The status codes of responses that may be empty.
    public let emptyResponseCodes: Set<Int>
    /// The methods of requests whose responses may be empty.
    public let emptyRequestMethods: Set<HTTPMethod>
    /// The reading options of `JSONSerialization`.
    public let options: JSONSerialization.ReadingOptions

    /// Creates a serializer.
    ///
    /// - Parameters:
    ///   - dataPreprocessor: The preprocessor that transforms the data before serialization.
    ///   - emptyResponseCodes: The status codes of responses that may be empty.
    ///   - emptyRequestMethods: The methods of requests whose responses may be empty.
    ///   - options: The reading options of `JSONSerialization`.
    public init(
        dataPreprocessor: any DataPreprocessor = JSONResponseSerializer.defaultDataPreprocessor,
        emptyResponseCodes: Set<Int> = JSONResponseSerializer.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = JSONResponseSerializer.defaultEmptyRequestMethods,
        options: JSONSerialization.ReadingOptions = .allowFragments
    ) {
        self.dataPreprocessor = dataPreprocessor
        self.emptyResponseCodes = emptyResponseCodes
        self.emptyRequestMethods = emptyRequestMethods
        self.options = options
    }

    /// Returns the JSON value, or `NSNull` for an empty response that ``emptyResponseCodes`` or ``emptyRequestMethods``
    /// allow.
    ///
    /// - Parameters:
    ///   - request: The request that was sent.
    ///   - response: The head of the response.
    ///   - data: The content; `nil` for none.
    ///   - error: The error of the request, which is thrown again.
    /// - Throws: `error`; ``AFError/responseSerializationFailed(reason:)`` for other empty content and for malformed
    ///   JSON; the error of ``dataPreprocessor``.
    public func serialize(
        request: URLRequest?,
        response: HTTPURLResponse?,
        data: Data?,
        error: (any Error)?
    ) throws -> any Sendable {
        guard let data = try content(of: data, request: request, response: response, error: error) else {
            return NSNull()
        }
        do {
            return SendableJSON.value(of: try JSONSerialization.jsonObject(with: data, options: options))
        } catch {
            throw AFError.responseSerializationFailed(reason: .jsonSerializationFailed(error: error))
        }
    }
}

/// The output of `JSONSerialization` as Sendable values.
///
/// Numbers stay `NSNumber`s, so that `as? Int`, `as? Double` and `as? Bool` give the same results as with Alamofire.
enum SendableJSON {
    static func value(of object: Any) -> any Sendable {
        switch object {
        case let dictionary as [String: Any]: dictionary.mapValues(value(of:))
        case let array as [Any]: array.map(value(of:))
        case let string as String: string
        case let number as NSNumber: number
        default: NSNull()
        }
    }
}
