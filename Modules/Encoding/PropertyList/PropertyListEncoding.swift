public import AirframeCore
public import Foundation

/// An encoding of dictionaries into a request's body as a property list, as in Alamofire 4.
///
/// The body gets the content type `application/x-plist`, unless the request has one. Values are strings, numbers,
/// booleans, dates and data, and arrays and dictionaries of these.
public struct PropertyListEncoding: ParameterEncoding {
    /// An error that prevents the encoding of parameters.
    public enum Error: Swift.Error, Sendable, Hashable {
        /// A value has a type that property lists cannot represent.
        case invalidPropertyList
    }

    /// An encoding as XML.
    public static var `default`: PropertyListEncoding { PropertyListEncoding() }
    /// An encoding as XML.
    public static var xml: PropertyListEncoding { PropertyListEncoding(format: .xml) }
    /// An encoding in the binary format.
    public static var binary: PropertyListEncoding { PropertyListEncoding(format: .binary) }

    /// The format of the property list.
    public let format: PropertyListSerialization.PropertyListFormat
    /// Options of `PropertyListSerialization`, which has none today.
    public let options: PropertyListSerialization.WriteOptions

    /// Creates an encoding.
    ///
    /// - Parameters:
    ///   - format: The format of the property list.
    ///   - options: Options of `PropertyListSerialization`, which has none today.
    public init(
        format: PropertyListSerialization.PropertyListFormat = .xml,
        options: PropertyListSerialization.WriteOptions = 0
    ) {
        self.format = format
        self.options = options
    }

    /// Encodes parameters into a request's body.
    ///
    /// - Parameters:
    ///   - urlRequest: The request to start from.
    ///   - parameters: The parameters; `nil` leaves the request unchanged.
    /// - Returns: The request with the parameters in its body.
    /// - Throws: The errors of making the request; `AFError.parameterEncodingFailed` with `customEncodingFailed` for
    ///   values that property lists cannot represent.
    public func encode(_ urlRequest: any URLRequestConvertible, with parameters: Parameters?) throws -> URLRequest {
        var request = try urlRequest.asURLRequest()
        guard let parameters else { return request }
        do {
            // Checked first: `PropertyListSerialization` stops the process for values that it cannot write.
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
    /// A description of the error.
    public var errorDescription: String? {
        switch self {
        case .invalidPropertyList: "The parameters contain a value that property lists cannot represent."
        }
    }
}
