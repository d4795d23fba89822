public import AirframeCore
internal import Foundation

/// Puts a dictionary into a request's query, or its body, as a URL-encoded form.
///
/// Keys are in alphabetical order, those of nested dictionaries as well, which are written `key[subkey]`. A query is
/// appended to the one that the URL has. A body gets the content type
/// `application/x-www-form-urlencoded; charset=utf-8`, unless the request names another.
public struct URLEncoding: ParameterEncoding {
    /// Where the encoded text goes.
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
        /// A key made from the array's and the element's index.
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

    /// The text of a `Bool`.
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

    /// Where the text goes.
    public let destination: Destination
    /// The keys of an array's elements.
    public let arrayEncoding: ArrayEncoding
    /// The text of a `Bool`.
    public let boolEncoding: BoolEncoding

    /// Makes an encoding.
    ///
    /// - Parameters:
    ///   - destination: Where the text goes.
    ///   - arrayEncoding: The keys of an array's elements.
    ///   - boolEncoding: The text of a `Bool`.
    public init(
        destination: Destination = .methodDependent,
        arrayEncoding: ArrayEncoding = .brackets,
        boolEncoding: BoolEncoding = .numeric
    ) {
        self.destination = destination
        self.arrayEncoding = arrayEncoding
        self.boolEncoding = boolEncoding
    }

    /// Puts parameters into a request.
    ///
    /// - Parameters:
    ///   - urlRequest: The request to start from.
    ///   - parameters: The parameters; `nil` leaves the request as it is.
    /// - Returns: The request with the parameters in its query or its body.
    /// - Throws: What making the request throws; `AFError.parameterEncodingFailed` with `missingURL` for a request
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
