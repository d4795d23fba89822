import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes

func get(_ path: String, _ fields: HTTPFields = [:], method: HTTPRequest.Method = .get) -> TransportRequest {
    TransportRequest(
        HTTPRequest(method: method, scheme: "http", authority: "api.test", path: path, headerFields: fields))
}

extension ScriptedTransport {
    /// A server whose content has a size and begins with the path and the value of `Accept`.
    static func origin(
        _ size: Int = 100,
        _ fields: HTTPFields = [.cacheControl: "max-age=600", .eTag: "\"1\"", .vary: "Accept"]
    ) -> ScriptedTransport {
        ScriptedTransport { request in
            let isConfirmed = request.head.headerFields[.ifNoneMatch] == "\"1\""
            let head = HTTPResponse(status: isConfirmed ? .notModified : .ok, headerFields: fields)
            let body = isConfirmed ? ResponseBody() : ResponseBody(content(of: request.head, size))
            return TransportResponse(head: head, body: body, request: request.head)
        }
    }

    static func content(of head: HTTPRequest, _ size: Int) -> Data {
        let text = "\(head.path ?? "") \(head.headerFields[.accept] ?? "")"
        return Data(text.padding(toLength: size, withPad: "0123456789", startingAt: 0).utf8)
    }
}

extension Transport {
    /// The content of a response, and its source.
    func content(_ request: TransportRequest) async throws -> (Data, ResponseSource) {
        let response = try await send(request)
        return (try await response.body.collect(upTo: 64 << 20), response.source)
    }
}
