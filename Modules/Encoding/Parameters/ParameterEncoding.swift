public import AirframeCore

/// Parameters of a request by their names, their types not known before.
public typealias Parameters = [String: any Sendable]

/// Puts a dictionary of ``Parameters`` into a request. For types that are known, there is ``ParameterEncoder``.
public protocol ParameterEncoding: Sendable {
    /// Puts parameters into a request.
    ///
    /// - Parameters:
    ///   - urlRequest: The request to start from.
    ///   - parameters: The parameters; `nil` leaves the request as it is.
    /// - Returns: The request with the parameters in its query or its body.
    /// - Throws: What making the request throws; an `AFError`, usually `parameterEncodingFailed`.
    func encode(_ urlRequest: any URLRequestConvertible, with parameters: Parameters?) throws -> URLRequest
}
