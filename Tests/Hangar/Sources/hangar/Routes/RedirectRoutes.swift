extension Router {
    /// Responses that send the client elsewhere.
    mutating func addRedirectRoutes() {
        add(path: "/redirect/{n}") { call in try Self.step(call, next: "/redirect/") }
        add(path: "/relative-redirect/{n}") { call in try Self.step(call, next: "/relative-redirect/") }
        add(path: "/absolute-redirect/{n}") { call in
            try Self.step(call, next: "\(call.baseURL)/absolute-redirect/", last: "\(call.baseURL)/get")
        }
        add(path: "/redirect-to") { call in
            guard let url = call.query["url"] else { throw Failure(400, "/redirect-to needs ?url=") }
            let status = try call.integer(query: "status_code", in: 300...399, default: 302)
            guard Field("Location", url).isSendable else {
                throw Failure(400, "the url to redirect to has line ends in it")
            }
            return .redirect(to: url, status: status)
        }
        add(path: "/redirect-loop") { _ in .redirect(to: "/redirect-loop") }
    }

    private static func step(_ call: Call, next: String, last: String = "/get") throws -> Reply {
        let count = try call.integer("n", in: 1...1_000_000)
        return .redirect(to: count == 1 ? last : "\(next)\(count - 1)")
    }
}
