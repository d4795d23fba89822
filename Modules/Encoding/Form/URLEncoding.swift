public import AirframeCore
internal import Foundation

/// An encoding of dictionaries into a request's query or body as a URL-encoded form.
///
/// Keys are sorted alphabetically, those of nested dictionaries too, which are written `key[subkey]`. A query is
/// appended to the URL's. A body gets the content type `application/x-www-form-urlencoded; charset=utf-8`, unless the
/// request has one.
public struct URLEncoding: ParameterEncoding {
    /// The destination of the encoded text.
    public enum Destination: Sendable, Hashable {
        /// Into the query of `GET`, `HEAD` and `DELETE`, into the body of other methods.
        case methodDependent
        /// Into the query.
        case queryString
        /// Into the body.
        case httpBody

        func isQuery(of request: URLRequest) -> Bool {
            switch self {
            case .methodDependent: request.carriesParametersInQuery
            case .queryString: true
            case .httpBody: false
            }
        }
    }

    /// The keys of an array's elements.
    public enum ArrayEncoding: Sendable {
        /// `key[]`, for every element.
        case brackets
        /// `key`, for every element.
        case noBrackets
        /// `key[0]`, `key[1]`, …
        case indexInBrackets
        /// Creates the key from the array's key and the element's index.
        case custom(@Sendable (_ key: String, _ index: Int) -> String)

        func encode(key: String, atIndex index: Int) -> String {
            switch self {
            case .brackets: "\(key)[]"
            case .noBrackets: key
            case .indexInBrackets: "\(key)[\(index)]"
            case .custom(let encoding): encoding(key, index)
            }
        }
    }

    /// How a `Bool` is encoded.
    public enum BoolEncoding: Sendable, Hashable {
        /// `1` and `0`
        case numeric
        /// `true` and `false`
        case literal

        func encode(value: Bool) -> String {
            switch self {
            case .numeric: value ? "1" : "0"
            case .literal: value ? "true" : "false"
            }
        }
    }

    /// An encoding whose destination depends on the method.
    public static var `default`: URLEncoding { URLEncoding() }
    /// An encoding into the query.
    public static var queryString: URLEncoding { URLEncoding(destination: .queryString) }
    /// An encoding into the body.
    public static var httpBody: URLEncoding { URLEncoding(destination: .httpBody) }

    /// The destination of the text.
    public let destination: Destination
    /// The keys of an array's elements.
    public let arrayEncoding: ArrayEncoding
    /// How a `Bool` is encoded.
    public let boolEncoding: BoolEncoding

    /// Creates an encoding.
    ///
    /// - Parameters:
    ///   - destination: The destination of the text.
    ///   - arrayEncoding: The keys of an array's elements.
    ///   - boolEncoding: How a `Bool` is encoded.
    public init(
        destination: Destination = .methodDependent,
        arrayEncoding: ArrayEncoding = .brackets,
        boolEncoding: BoolEncoding = .numeric
    ) {
        self.destination = destination
        self.arrayEncoding = arrayEncoding
        self.boolEncoding = boolEncoding
    }

    /// Encodes parameters into a request.
    ///
    /// - Parameters:
    ///   - urlRequest: The request to start from.
    ///   - parameters: The parameters; `nil` leaves the request unchanged.
    /// - Returns: The request with the parameters in its query or its body.
    /// - Throws: The errors of making the request; `AFError.parameterEncodingFailed` with `missingURL` for a request
    ///   without a URL.
    public func encode(_ urlRequest: any URLRequestConvertible, with parameters: Parameters?) throws -> URLRequest {
        var request = try urlRequest.asURLRequest()
        guard let parameters else { return request }
        if destination.isQuery(of: request) {
            guard request.appendQuery(text(of: parameters)) else {
                throw AFError.parameterEncodingFailed(reason: .missingURL)
            }
        } else {
            request.setBody(Data(text(of: parameters).utf8), contentType: ContentType.form)
        }
        return request
    }

    private func text(of parameters: Parameters) -> String {
        parameters.sorted { $0.key < $1.key }
            .flatMap { queryComponents(fromKey: $0.key, value: $0.value) }
            .map { "\($0)=\($1)" }
            .joined(separator: "&")
    }
}
