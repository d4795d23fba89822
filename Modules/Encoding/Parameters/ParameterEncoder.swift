public import AirframeCore

/// Puts an `Encodable` value into a request.
public protocol ParameterEncoder: Sendable {
    /// Puts a value into a request.
    ///
    /// - Parameters:
    ///   - parameters: The value; `nil` leaves the request as it is.
    ///   - request: The request to start from.
    /// - Returns: The request with the value in its query or its body.
    /// - Throws: An `AFError`, usually `parameterEncoderFailed`.
    func encode<Parameters: Encodable & Sendable>(
        _ parameters: Parameters?,
        into request: URLRequest
    ) throws -> URLRequest
}
