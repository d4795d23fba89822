public import AirframeCore
public import Foundation

/// Puts a dictionary into a request's body as a property list, as Alamofire 4 did.
///
/// The body gets the content type `application/x-plist`, unless the request names another. Values are texts, numbers,
/// booleans, dates and data, and arrays and dictionaries of these.
public struct PropertyListEncoding: ParameterEncoding {
    /// Why parameters cannot be encoded.
    public enum Error: Swift.Error, Sendable, Hashable {
        /// A value is of a type that property lists do not have.
        case invalidPropertyList
    }

    /// An encoding as XML.
    public static var `default`: PropertyListEncoding { PropertyListEncoding() }
    /// An encoding as XML.
    public static var xml: PropertyListEncoding { PropertyListEncoding(format: .xml) }
    /// An encoding in the binary format.
    public static var binary: PropertyListEncoding { PropertyListEncoding(format: .binary) }

    /// How the property list is written.
    public let format: PropertyListSerialization.PropertyListFormat
    /// Options of `PropertyListSerialization`, which has none today.
    public let options: PropertyListSerialization.WriteOptions

    /// Makes an encoding.
    ///
    /// - Parameters:
    ///   - format: How the property list is written.
    ///   - options: Options of `PropertyListSerialization`, which has none today.
    public init(
        format: PropertyListSerialization.PropertyListFormat = .xml,
        options: PropertyListSerialization.WriteOptions = 0
    ) {
        self.format = format
        self.options = options
    }

    /// Puts parameters into a request's body.
    ///
    /// - Parameters:
    ///   - urlRequest: The request to start from.
    ///   - parameters: The parameters; `nil` leaves the request as it is.
    /// - Returns: The request with the parameters in its body.
    /// - Throws: What making the request throws; `AFError.parameterEncodingFailed` with `customEncodingFailed` for what
    ///   property lists cannot hold.
    public func encode(_ urlRequest: any URLRequestConvertible, with parameters: Parameters?) throws -> URLRequest {
        var request = try urlRequest.asURLRequest()
        guard let parameters else { return request }
        do {
            // Checked first: `PropertyListSerialization` ends the process on what it cannot write.
            guard Self.isPropertyList(parameters) else { throw Error.invalidPropertyList }
            let data = try PropertyListSerialization.data(
                fromPropertyList: parameters, format: format, options: options)
            request.setBody(data, contentType: ContentType.propertyList)
        } catch {
            throw AFError.parameterEncodingFailed(reason: .customEncodingFailed(error: error))
        }
        return request
    }

    private static func isPropertyList(_ value: Any) -> Bool {
        switch value {
        case let dictionary as [String: Any]: dictionary.values.allSatisfy(isPropertyList)
        case let array as [Any]: array.allSatisfy(isPropertyList)
        case is String, is NSNumber, is Bool, is any BinaryInteger, is Double, is Float, is Date, is Data: true
        default: false
        }
    }
}

extension PropertyListEncoding.Error: LocalizedError {
    /// The error as a sentence.
    public var errorDescription: String? {
        switch self {
        case .invalidPropertyList: "The parameters hold something that property lists have no form for."
        }
    }
}
