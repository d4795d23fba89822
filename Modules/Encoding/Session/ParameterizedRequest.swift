package import AirframeCore

/// A convertible that combines a plain request with the parameters to encode into it.
package struct ParameterizedRequest: URLRequestConvertible {
    private let plain: PlainRequest
    private let encode: @Sendable (URLRequest) throws -> URLRequest

    init(_ plain: PlainRequest, parameters: Parameters?, encoding: any ParameterEncoding) {
        self.plain = plain
        encode = { try encoding.encode($0, with: parameters) }
    }

    package init<Value: Encodable & Sendable>(_ plain: PlainRequest, parameters: Value?, encoder: any ParameterEncoder)
    {
        self.plain = plain
        encode = { try encoder.encode(parameters, into: $0) }
    }

    // The modifier has run before, so the encoding sees the content type that it set.
    package func asURLRequest() throws -> URLRequest { try encode(plain.asURLRequest()) }
}
