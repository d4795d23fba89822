import AirframeAuthentication
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Synchronization

extension ScriptedTransport {
    /// Challenges requests without credentials, and accepts all others.
    convenience init(challenging challenges: String...) {
        self.init { request in
            request.head.headerFields.contains(.authorization)
                ? .status(200, to: request) : .challenge(challenges, to: request)
        }
    }

    /// The `Authorization` of each request.
    var authorizations: [String?] { requests.map { $0.head.headerFields[.authorization] } }
}

extension TransportResponse {
    static func status(
        _ status: Int,
        fields: HTTPFields = [:],
        body: ResponseBody = ResponseBody(),
        to request: TransportRequest
    ) -> TransportResponse {
        let head = HTTPResponse(status: HTTPResponse.Status(code: status), headerFields: fields)
        return TransportResponse(head: head, body: body, request: request.head)
    }

    static func challenge(
        _ challenges: [String],
        body: ResponseBody = ResponseBody(),
        to request: TransportRequest
    ) -> TransportResponse {
        var fields = HTTPFields()
        fields[values: .wwwAuthenticate] = challenges
        return .status(401, fields: fields, body: body, to: request)
    }
}

extension TransportRequest {
    static let origin = Origin(scheme: "http", host: "api.test")

    /// A request to `http://api.test`, or another authority, with a credential for `http://api.test`.
    static func to(
        _ path: String = "/",
        at authority: String = "api.test",
        method: HTTPRequest.Method = .get,
        user: String? = "Mufasa",
        password: String = "Circle of Life",
        isShared: Bool = false,
        body: RequestBody = .none
    ) -> TransportRequest {
        let head = HTTPRequest(method: method, scheme: "http", authority: authority, path: path)
        var request = TransportRequest(head, body: body)
        if let user {
            request[RequestCredential.self] = HTTPCredential(
                user: user, password: password, origin: origin, isShared: isShared)
        }
        return request
    }
}

extension EventLog {
    /// The decisions and failures, as text.
    var words: [String] {
        events.compactMap { event in
            switch event.kind {
            case .decided(let decision): Self.words(decision)
            case .failed(let error): "failed \(error.code)"
            default: nil
            }
        }
    }

    private static func words(_ decision: TransportDecision) -> String {
        switch decision.kind {
        case .answeredChallenge(let scheme, let realm): "answered \(scheme) \(realm ?? "-")"
        case .refusedChallenge(let scheme, let realm): "refused \(scheme) \(realm ?? "-"): \(decision.reason)"
        case .unansweredChallenge(let scheme, let realm): "unanswered \(scheme) \(realm ?? "-"): \(decision.reason)"
        default: "another decision"
        }
    }
}

/// The parameters of a Digest answer.
struct DigestParameters {
    private let parameters: [String: String]

    init?(_ field: String?) {
        guard let field, let challenge = AuthenticationChallenge.challenges(in: [field]).first,
            challenge.scheme == "Digest"
        else { return nil }
        parameters = challenge.parameters
    }

    subscript(name: String) -> String? { parameters[name] }
}
