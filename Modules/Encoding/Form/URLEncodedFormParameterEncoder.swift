public import AirframeCore
internal import Foundation

/// An encoder of `Encodable` values into a request's query or body as a URL-encoded form.
///
/// ```swift
/// AF.request("https://api.test/search", parameters: ["q": "swift"], encoder: .urlEncodedForm)
/// ```
///
/// A query is appended to the URL's. A body gets the content type
/// `application/x-www-form-urlencoded; charset=utf-8`, unless the request has one.
///
/// `@unchecked Sendable` because the class is open: its own properties are immutable, and Sendable.
open class URLEncodedFormParameterEncoder: ParameterEncoder, @unchecked Sendable {
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

    /// An encoder with the default options, whose destination depends on the method.
    public static var `default`: URLEncodedFormParameterEncoder {
        URLEncodedFormParameterEncoder(encoder: .makeDefault())
    }

    /// The encoder of the text.
    public let encoder: URLEncodedFormEncoder
    /// The destination of the text.
    public let destination: Destination

    /// Creates an encoder.
    ///
    /// - Parameters:
    ///   - encoder: The encoder of the text.
    ///   - destination: The destination of the text.
    public init(encoder: URLEncodedFormEncoder = URLEncodedFormEncoder(), destination: Destination = .methodDependent) {
        self.encoder = encoder
        self.destination = destination
    }

    /// Encodes a value into a request.
    ///
    /// - Parameters:
    ///   - parameters: The value; `nil` leaves the request unchanged.
    ///   - request: The request to start from.
    /// - Returns: The request with the value in its query or its body.
    /// - Throws: `AFError.parameterEncoderFailed`: `encoderFailed` with what ``URLEncodedFormEncoder`` threw, or
    ///   `missingRequiredComponent` for a request without a URL.
    open func encode<Parameters: Encodable>(
        _ parameters: Parameters?,
        into request: URLRequest
    ) throws -> URLRequest {
        guard let parameters else { return request }
        guard request.url != nil else { throw AFError.parameterEncoderFailed(reason: .missingRequiredComponent(.url)) }
        let text = try text(of: parameters)
        var request = request
        if destination.isQuery(of: request) {
            guard request.appendQuery(text) else {
                throw AFError.parameterEncoderFailed(reason: .missingRequiredComponent(.url))
            }
        } else {
            request.setBody(Data(text.utf8), contentType: ContentType.form)
        }
        return request
    }

    private func text(of parameters: some Encodable) throws(AFError) -> String {
        do {
            return try encoder.encode(parameters)
        } catch {
            throw .parameterEncoderFailed(reason: .encoderFailed(error: error))
        }
    }
}

extension ParameterEncoder where Self == URLEncodedFormParameterEncoder {
    /// A URL-encoded form with the default options.
    public static var urlEncodedForm: URLEncodedFormParameterEncoder { .default }

    /// A URL-encoded form.
    ///
    /// - Parameters:
    ///   - encoder: The encoder of the text.
    ///   - destination: The destination of the text.
    public static func urlEncodedForm(
        encoder: URLEncodedFormEncoder = URLEncodedFormEncoder(),
        destination: URLEncodedFormParameterEncoder.Destination = .methodDependent
    ) -> URLEncodedFormParameterEncoder {
        URLEncodedFormParameterEncoder(encoder: encoder, destination: destination)
    }
}
