public import AirframeCore
public import Foundation

/// The response's JSON as `JSONSerialization` makes it: dictionaries, arrays, strings, numbers and `NSNull`.
///
/// Kept for users of Alamofire. ``DecodableResponseSerializer`` makes values with types.
@available(*, deprecated, message: "use DecodableResponseSerializer, which makes values with types")
public final class JSONResponseSerializer: ResponseSerializer {
    /// Changes the data.
    public let dataPreprocessor: any DataPreprocessor
    /// The status codes whose responses may be empty.
    public let emptyResponseCodes: Set<Int>
    /// The methods whose responses may be empty.
    public let emptyRequestMethods: Set<HTTPMethod>
    /// How the JSON is read.
    public let options: JSONSerialization.ReadingOptions

    /// Makes a serializer.
    ///
    /// - Parameters:
    ///   - dataPreprocessor: Changes the data.
    ///   - emptyResponseCodes: The status codes whose responses may be empty.
    ///   - emptyRequestMethods: The methods whose responses may be empty.
    ///   - options: How the JSON is read.
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

    /// The JSON; `NSNull` for a response that is empty and may be.
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

/// What `JSONSerialization` makes, as values that may cross threads.
///
/// Numbers stay `NSNumber`s, so that `as? Int`, `as? Double` and `as? Bool` say what users of Alamofire are used to.
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
