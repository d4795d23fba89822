public import AirframeCore

/// Untyped parameters of a request by their names.
public typealias Parameters = [String: any Sendable]

/// An encoding of a dictionary of ``Parameters`` into a request. ``ParameterEncoder`` encodes typed values.
public protocol ParameterEncoding: Sendable {
    /// Encodes parameters into a request.
    ///
    /// - Parameters:
    ///   - urlRequest: The request to start from.
    ///   - parameters: The parameters; `nil` leaves the request unchanged.
    /// - Returns: The request with the parameters in its query or its body.
    /// - Throws: The errors of making the request; an `AFError`, usually `parameterEncodingFailed`.
    func encode(_ urlRequest: any URLRequestConvertible, with parameters: Parameters?) throws -> URLRequest
}
