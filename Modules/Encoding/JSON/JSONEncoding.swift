public import AirframeCore
public import Foundation

/// An encoding of dictionaries, and of all objects that `JSONSerialization` supports, into a request's body as JSON
/// (RFC 8259).
///
/// The body gets the content type `application/json`, unless the request has one.
public struct JSONEncoding: ParameterEncoding {
    /// An error that prevents the encoding of an object.
    public enum Error: Swift.Error, Sendable, Hashable {
        /// JSON cannot represent the object: it is neither an array nor a dictionary with strings as keys, or contains
        /// a value that is not a string, number, boolean or null, or a number that is not finite.
        case invalidJSONObject
    }

    /// An encoding without options.
    public static var `default`: JSONEncoding { JSONEncoding() }
    /// An encoding with line breaks and indentation.
    public static var prettyPrinted: JSONEncoding { JSONEncoding(options: .prettyPrinted) }

    /// The writing options of `JSONSerialization`.
    public let options: JSONSerialization.WritingOptions

    /// Creates an encoding.
    ///
    /// - Parameter options: The writing options of `JSONSerialization`.
    public init(options: JSONSerialization.WritingOptions = []) { self.options = options }

    /// Encodes parameters into a request's body.
    ///
    /// - Parameters:
    ///   - urlRequest: The request to start from.
    ///   - parameters: The parameters; `nil` leaves the request unchanged.
    /// - Returns: The request with the parameters in its body.
    /// - Throws: The errors of making the request; `AFError.parameterEncodingFailed` with `jsonEncodingFailed` for
    ///   values that JSON cannot represent.
    public func encode(_ urlRequest: any URLRequestConvertible, with parameters: Parameters?) throws -> URLRequest {
        try encode(urlRequest, withJSONObject: parameters)
    }

    /// Encodes an object into a request's body.
    ///
    /// - Parameters:
    ///   - urlRequest: The request to start from.
    ///   - jsonObject: An array or a dictionary, with ``options`` of `fragmentsAllowed` any value; `nil` leaves the
    ///     request unchanged.
    /// - Returns: The request with the object in its body.
    /// - Throws: The errors of making the request; `AFError.parameterEncodingFailed` with `jsonEncodingFailed` for
    ///   values that JSON cannot represent.
    public func encode(
        _ urlRequest: any URLRequestConvertible,
        withJSONObject jsonObject: Any? = nil
    ) throws -> URLRequest {
        var request = try urlRequest.asURLRequest()
        guard let jsonObject else { return request }
        do {
            request.setBody(try data(of: jsonObject), contentType: ContentType.json)
        } catch {
            throw AFError.parameterEncodingFailed(reason: .jsonEncodingFailed(error: error))
        }
        return request
    }

    private func data(of object: Any) throws -> Data {
        // Checked first: `JSONSerialization` stops the process for objects that it cannot write.
        let subject = options.contains(.fragmentsAllowed) ? [object] : object
        guard JSONSerialization.isValidJSONObject(subject) else { throw Error.invalidJSONObject }
        return try JSONSerialization.data(withJSONObject: object, options: options)
    }
}

extension JSONEncoding.Error: LocalizedError {
    /// A description of the error.
    public var errorDescription: String? { localizedDescription }

    /// A description of the error.
    public var localizedDescription: String {
        switch self {
        case .invalidJSONObject: "the object contains a value that JSON cannot represent"
        }
    }
}
