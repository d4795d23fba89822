public import AirframeCore
public import Foundation

/// Puts a dictionary, or any other object that `JSONSerialization` takes, into a request's body as JSON (RFC 8259).
///
/// The body gets the content type `application/json`, unless the request names another.
public struct JSONEncoding: ParameterEncoding {
    /// Why an object cannot be encoded.
    public enum Error: Swift.Error, Sendable, Hashable {
        /// JSON has no form for the object: it is neither an array nor a dictionary with texts as keys, or something in
        /// it is no text, number, boolean or null, or a number is not finite.
        case invalidJSONObject
    }

    /// An encoding without options.
    public static var `default`: JSONEncoding { JSONEncoding() }
    /// An encoding that writes for people: lines and indentation.
    public static var prettyPrinted: JSONEncoding { JSONEncoding(options: .prettyPrinted) }

    /// How the JSON is written.
    public let options: JSONSerialization.WritingOptions

    /// Makes an encoding.
    ///
    /// - Parameter options: How the JSON is written.
    public init(options: JSONSerialization.WritingOptions = []) { self.options = options }

    /// Puts parameters into a request's body.
    ///
    /// - Parameters:
    ///   - urlRequest: The request to start from.
    ///   - parameters: The parameters; `nil` leaves the request as it is.
    /// - Returns: The request with the parameters in its body.
    /// - Throws: What making the request throws; `AFError.parameterEncodingFailed` with `jsonEncodingFailed` for what
    ///   JSON cannot hold.
    public func encode(_ urlRequest: any URLRequestConvertible, with parameters: Parameters?) throws -> URLRequest {
        try encode(urlRequest, withJSONObject: parameters)
    }

    /// Puts an object into a request's body.
    ///
    /// - Parameters:
    ///   - urlRequest: The request to start from.
    ///   - jsonObject: An array or a dictionary, with ``options`` of `fragmentsAllowed` any value; `nil` leaves the
    ///     request as it is.
    /// - Returns: The request with the object in its body.
    /// - Throws: What making the request throws; `AFError.parameterEncodingFailed` with `jsonEncodingFailed` for what
    ///   JSON cannot hold.
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
        // Asked first: `JSONSerialization` ends the process on what it cannot write.
        let subject = options.contains(.fragmentsAllowed) ? [object] : object
        guard JSONSerialization.isValidJSONObject(subject) else { throw Error.invalidJSONObject }
        return try JSONSerialization.data(withJSONObject: object, options: options)
    }
}

extension JSONEncoding.Error: LocalizedError {
    /// The error as a sentence.
    public var errorDescription: String? { localizedDescription }

    /// The error as a sentence.
    public var localizedDescription: String {
        switch self {
        case .invalidJSONObject: "the object cannot be written as JSON: it holds something that JSON has no form for"
        }
    }
}
