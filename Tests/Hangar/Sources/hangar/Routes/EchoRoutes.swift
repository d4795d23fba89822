extension Router {
    /// The echo of a request.
    mutating func addEchoRoutes() {
        add(path: "/anything/{rest...}") { call in try await .echo(call) }
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE"] {
            add(method, path: "/\(method.lowercased())") { call in try await .echo(call) }
        }
        add("GET", path: "/headers") { call in .json(["headers": Echo.headers(call)]) }
        add("GET", path: "/ip") { call in .json(["origin": .string(call.origin)]) }
        add("GET", path: "/user-agent") { call in
            .json(["user-agent": call.field("User-Agent").map(JSON.string) ?? .null])
        }
        add("GET", "POST", path: "/response-headers") { call in try Self.responseHeaders(call) }
    }

    private static func responseHeaders(_ call: Call) throws -> Reply {
        let fields = call.query.pairs.map { Field($0.name, $0.value) }
        if let bad = fields.first(where: { !$0.isSendable || framing.contains($0.name.lowercased()) }) {
            throw Failure(400, "\"\(bad.name)\" with that value cannot be set as a response field")
        }
        var reply = Reply.json(call.query.json)
        if fields.contains(where: { $0.name.lowercased() == "content-type" }) { reply.fields = [] }
        return reply.adding(fields)
    }

    /// These say where the response ends; a wrong one would break the connection, not the test's expectation.
    private static let framing: Set<String> = ["content-length", "transfer-encoding", "connection"]
}
