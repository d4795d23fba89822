internal import AirframeTransport
internal import Foundation
internal import HTTPTypes

/// One exchange with an authorization server.
enum OAuthExchange {
    /// A response with its complete body.
    struct Answer {
        let status: Int
        let fields: HTTPFields
        let body: Data

        /// Decodes the body as JSON.
        func decoded<Value: Decodable>(_ type: Value.Type, as subject: String) throws(OAuthError) -> Value {
            do {
                return try JSONDecoder().decode(type, from: body)
            } catch {
                throw .malformedResponse("\(subject) cannot be decoded: \(Self.reason(error))")
            }
        }

        /// The reason that decoding failed, without the values, which may be tokens.
        private static func reason(_ error: any Error) -> String {
            switch error {
            case DecodingError.keyNotFound(let key, _): "\(key.stringValue) is missing"
            case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
                "\(context.codingPath.map(\.stringValue).joined(separator: ".")) has another type"
            default: "it is not a JSON object"
            }
        }

        /// The error in the body (RFC 6749 §5.2), or one that names the status.
        var error: OAuthError {
            guard let words = try? JSONDecoder().decode(ErrorWords.self, from: body) else {
                return .malformedResponse("status \(status) without an error of RFC 6749 §5.2")
            }
            return .server(
                OAuthServerError(
                    code: words.code, details: words.description, uri: words.uri, status: status))
        }
    }

    private struct ErrorWords: Decodable {
        let code: String
        let description: String?
        let uri: String?

        enum CodingKeys: String, CodingKey {
            case code = "error"
            case description = "error_description"
            case uri = "error_uri"
        }
    }

    /// The maximum length of a response. Responses of authorization servers are small.
    private static let limit = 1 << 20

    static func send(_ request: TransportRequest, over transport: any Transport) async throws(OAuthError) -> Answer {
        do throws(TransportError) {
            let response = try await transport.send(request)
            let body = try await response.body.collect(upTo: limit)
            return Answer(status: response.head.status.code, fields: response.head.headerFields, body: body)
        } catch {
            throw .transport(error)
        }
    }
}
