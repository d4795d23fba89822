import Airframe
import AirframeConformance
import AirframeTestSupport
import Foundation
import HTTPTypes

extension TestedEngine {
    /// A session without a proxy, over a new transport.
    func session(_ change: (URLSessionConfiguration) -> Void = { _ in }) -> Session {
        let configuration = URLSessionConfiguration.af.ephemeral
        configuration.transportOptions.proxy = ProxyPolicy.none
        // A cached response has no connection.
        configuration.urlCache = nil
        change(configuration)
        return kept(Session(transport: transport, configuration: configuration))
    }
}

/// The sessions of all tests: requests end with their session, and few tests retain theirs.
private let sessions = Log<Session>()

/// Retains a session until the tests end.
func kept(_ session: Session) -> Session {
    sessions.append(session)
    return session
}

extension ScriptedServer {
    /// A server that answers each request of each connection with the result of `answer`, until the client closes.
    static func responding(_ answer: @escaping @Sendable (String) -> String) throws -> ScriptedServer {
        try ScriptedServer { connection in
            while let head = try? connection.readHead() { try connection.send(answer(head)) }
        }
    }

    /// A server that echoes the line and the fields of each request.
    static func echoing() throws -> ScriptedServer {
        try responding { head in
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: \(head.utf8.count)\r\n\r\n\(head)"
        }
    }
}

/// A session over a transport that answers with the line and the fields of each request, without a network.
func echoSession(_ change: (URLSessionConfiguration) -> Void = { _ in }) -> Session {
    let transport = ClosureTransport { request in
        let head = request.head
        let fields = head.headerFields.map { "\($0.name.rawName.lowercased()): \($0.value)" }.joined(separator: "\n")
        let url = "\(head.scheme ?? "")://\(head.authority ?? "")\(head.path ?? "")"
        let body: String
        if case .bytes(let data) = request.body.content {
            body = String(decoding: data, as: UTF8.self)
        } else {
            body = ""
        }
        let text = "\(head.method.rawValue) \(url)\n\(fields)\n\n\(body)"
        return TransportResponse(
            head: HTTPResponse(status: .ok), body: ResponseBody(Data(text.utf8)), request: head)
    }
    let configuration = URLSessionConfiguration.af.ephemeral
    change(configuration)
    return kept(Session(transport: transport, configuration: configuration))
}

extension DataRequest {
    /// The first line of the response.
    var line: String {
        get async throws { try await text.split(separator: "\n").first.map(String.init) ?? "" }
    }

    /// The response as text.
    var text: String {
        get async throws { try await serializingString().value }
    }
}
