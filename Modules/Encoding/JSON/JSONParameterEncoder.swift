public import AirframeCore
internal import AirframeJSON
public import Foundation

/// An encoder of `Encodable` values into a request's body as JSON (RFC 8259).
///
/// ```swift
/// AF.request("https://api.test/users", method: .post, parameters: user, encoder: .json)
/// ```
///
/// The body gets the content type `application/json`, unless the request has one.
///
/// `@unchecked Sendable` because the class is open: its own property is immutable, and Sendable.
open class JSONParameterEncoder: ParameterEncoder, @unchecked Sendable {
    /// An encoder with `JSONEncoder`'s defaults.
    public static var `default`: JSONParameterEncoder { JSONParameterEncoder() }

    /// An encoder with line breaks and indentation.
    public static var prettyPrinted: JSONParameterEncoder { JSONParameterEncoder(formatting: .prettyPrinted) }

    /// An encoder that sorts keys, so that equal values have equal bodies.
    public static var sortedKeys: JSONParameterEncoder { JSONParameterEncoder(formatting: .sortedKeys) }

    /// The encoder of the JSON.
    public let encoder: JSONEncoder

    /// Creates an encoder.
    ///
    /// - Parameter encoder: The encoder of the JSON.
    public init(encoder: JSONEncoder = JSONEncoder()) { self.encoder = encoder }

    private convenience init(formatting: JSONEncoder.OutputFormatting) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = formatting
        self.init(encoder: encoder)
    }

    /// Encodes a value into a request's body.
    ///
    /// - Parameters:
    ///   - parameters: The value; `nil` leaves the request unchanged.
    ///   - request: The request to start from.
    /// - Returns: The request with the value in its body.
    /// - Throws: `AFError.parameterEncodingFailed` with `jsonEncodingFailed` and the error of `JSONEncoder`.
    open func encode<Parameters: Encodable>(
        _ parameters: Parameters?,
        into request: URLRequest
    ) throws -> URLRequest {
        guard let parameters else { return request }
        var request = request
        do {
            let body = try FastJSONEncoder(encoder)?.encodePlainly(parameters) ?? encoder.encode(parameters)
            request.setBody(body, contentType: ContentType.json)
        } catch {
            throw AFError.parameterEncodingFailed(reason: .jsonEncodingFailed(error: error))
        }
        return request
    }
}

extension ParameterEncoder where Self == JSONParameterEncoder {
    /// JSON with `JSONEncoder`'s defaults.
    public static var json: JSONParameterEncoder { .default }

    /// JSON.
    ///
    /// - Parameter encoder: The encoder of the JSON.
    public static func json(encoder: JSONEncoder = JSONEncoder()) -> JSONParameterEncoder {
        JSONParameterEncoder(encoder: encoder)
    }
}
