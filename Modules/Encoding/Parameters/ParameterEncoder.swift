public import AirframeCore

/// An encoder of `Encodable` values into requests.
public protocol ParameterEncoder: Sendable {
    /// Encodes a value into a request.
    ///
    /// - Parameters:
    ///   - parameters: The value; `nil` leaves the request unchanged.
    ///   - request: The request to start from.
    /// - Returns: The request with the value in its query or its body.
    /// - Throws: An `AFError`, usually `parameterEncoderFailed`.
    func encode<Parameters: Encodable & Sendable>(
        _ parameters: Parameters?,
        into request: URLRequest
    ) throws -> URLRequest
}
