import FlyingFox
import Foundation

/// The seam between FlyingFox and the routes: only this file and the pool depend on FlyingFox.
struct FoxHandler: HTTPHandler {
    let router: Router

    /// FlyingFox matches methods by name; these are the ones that clients are known to use.
    static let methods = HTTPMethod.allMethods.union([
        "PROPFIND", "PROPPATCH", "MKCOL", "COPY", "MOVE", "LOCK", "UNLOCK", "REPORT", "SEARCH", "QUERY", "LINK",
        "UNLINK", "PURGE", "CUSTOM",
    ])

    func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
        let call = Call(request)
        let expectation = call.expectsContinue ? Expectation() : nil
        return try await Expectation.$current.withValue(expectation) {
            var reply = await answer(call)
            try await settleBody(of: call, expectation: expectation, reply: &reply)
            return Self.response(to: call, reply: reply)
        }
    }

    private func answer(_ call: Call) async -> Reply {
        do {
            return try await router.reply(to: call)
        } catch let failure as Failure {
            return failure.reply
        } catch {
            return Failure(500, "\(call.method) \(call.target) failed: \(error)").reply
        }
    }

    /// FlyingFox reads the next request right after this one, so what is left of a body must be read or the
    /// connection closed. A client that received no 100 may never send it.
    private func settleBody(of call: Call, expectation: Expectation?, reply: inout Reply) async throws {
        guard !reply.closesConnection else { return }
        switch call.body.progress {
        case .complete:
            return
        case .partial:
            reply.closesConnection = true
        case .untouched:
            if let expectation, !expectation.isAnswered {
                reply.closesConnection = call.hasBody
            } else {
                try await call.body.read { _ in }
            }
        }
    }
}

extension FoxHandler {
    private static func response(to call: Call, reply: Reply) -> HTTPResponse {
        if case .upgrade(var response) = reply.body {
            for field in reply.fields { response.headers[HTTPHeader(field.name)] = field.value }
            return response
        }
        var fields = reply.fields
        let body = body(of: reply, call: call, fields: &fields)
        if !fields.contains(where: { $0.name.lowercased() == "date" }) { fields.append(Field("Date", HTTPDate.now)) }
        return HTTPResponse(
            statusCode: HTTPStatusCode(reply.status, phrase: StatusPhrase.phrase(for: reply.status)),
            headers: headers(fields),
            body: body
        )
    }

    private static func body(of reply: Reply, call: Call, fields: inout [Field]) -> HTTPBodySequence {
        var reply = reply
        if call.method == "HEAD" { leaveOutBody(of: &reply, fields: &fields) }
        if reply.closesConnection || call.closesConnection { fields.append(Field("Connection", "close")) }
        switch reply.body {
        case .data(let data) where reply.closesConnection:
            return HTTPBodySequence(from: GeneratedBody(data).closing(after: linger), count: data.count)
        case .data(let data):
            return HTTPBodySequence(data: data, suggestedBufferSize: max(data.count, 1))
        case .stream(let body, let length):
            let body = reply.closesConnection ? body.closing(after: linger) : body
            return length.map { HTTPBodySequence(from: body, count: $0) } ?? HTTPBodySequence(from: body)
        case .upgrade:
            return HTTPBodySequence()
        }
    }

    /// A HEAD response has the fields of the GET and no body (RFC 9110 §9.3.2). Chunked ones close the
    /// connection, because FlyingFox would write a last chunk.
    private static func leaveOutBody(of reply: inout Reply, fields: inout [Field]) {
        switch reply.body {
        case .data(let data):
            fields.append(Field("Content-Length", String(data.count)))
            reply.body = .data(Data())
        case .stream(_, let length?):
            fields.append(Field("Content-Length", String(length)))
            reply.body = .data(Data())
        case .stream(_, nil):
            reply.body = .stream(GeneratedBody { { throw ConnectionClose() } }, length: nil)
            reply.closesConnection = true
        case .upgrade:
            break
        }
    }

    /// How long the client has to read a response that came before its request was read: closing a socket
    /// with unread bytes resets it, and the response with it.
    private static var linger: Duration { .seconds(1) }

    /// FlyingFox joins the values of repeated fields by commas. Where the caller wants lines, a value that
    /// carries the next line keeps them apart; routes let no line ends in (`Field.isSendable`).
    private static func headers(_ fields: [Field]) -> HTTPHeaders {
        var headers = HTTPHeaders()
        for (name, group) in Dictionary(grouping: fields, by: { $0.name.lowercased() }) {
            guard let first = group.first else { continue }
            let lines = group.dropFirst().reduce(first.value) { "\($0)\r\n\($1.name): \($1.value)" }
            headers.setValues([lines], for: HTTPHeader(name == first.name.lowercased() ? first.name : name))
        }
        return headers
    }
}

extension Call {
    fileprivate var expectsContinue: Bool { field("Expect")?.lowercased() == "100-continue" }

    fileprivate var hasBody: Bool {
        field("Transfer-Encoding") != nil || (field("Content-Length").flatMap { Int($0) } ?? 0) > 0
    }

    /// FlyingFox closes after such a request, but does not say so.
    fileprivate var closesConnection: Bool {
        field("Connection")?.lowercased().contains("close") ?? false
    }
}
