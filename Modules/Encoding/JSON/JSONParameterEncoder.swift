public import AirframeCore
internal import AirframeJSON
public import Foundation

/// Puts `Encodable` values into a request's body as JSON (RFC 8259).
///
/// ```swift
/// AF.request("https://api.test/users", method: .post, parameters: user, encoder: .json)
/// ```
///
/// The body gets the content type `application/json`, unless the request names another.
///
/// `@unchecked Sendable` because the class is open: its own property is immutable, and Sendable.
open class JSONParameterEncoder: ParameterEncoder, @unchecked Sendable {
    /// An encoder with `JSONEncoder`'s defaults.
    public static var `default`: JSONParameterEncoder { JSONParameterEncoder() }

    /// An encoder that writes for people: lines and indentation.
    public static var prettyPrinted: JSONParameterEncoder { JSONParameterEncoder(formatting: .prettyPrinted) }

    /// An encoder that puts keys in alphabetical order, so that the same value always gives the same body.
    public static var sortedKeys: JSONParameterEncoder { JSONParameterEncoder(formatting: .sortedKeys) }

    /// Makes the JSON.
    public let encoder: JSONEncoder

    /// Makes an encoder.
    ///
    /// - Parameter encoder: Makes the JSON.
    public init(encoder: JSONEncoder = JSONEncoder()) { self.encoder = encoder }

    private convenience init(formatting: JSONEncoder.OutputFormatting) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = formatting
        self.init(encoder: encoder)
    }

    /// Puts a value into a request's body.
    ///
    /// - Parameters:
    ///   - parameters: The value; `nil` leaves the request as it is.
    ///   - request: The request to start from.
    /// - Returns: The request with the value in its body.
    /// - Throws: `AFError.parameterEncodingFailed` with `jsonEncodingFailed` and what `JSONEncoder` threw.
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
    /// - Parameter encoder: Makes the JSON.
    public static func json(encoder: JSONEncoder = JSONEncoder()) -> JSONParameterEncoder {
        JSONParameterEncoder(encoder: encoder)
    }
}
