extension Router {
    /// Endpoints that remember how often they were asked.
    mutating func addCounterRoutes(counters: Counters) {
        add(path: "/count/{key}") { call in
            .json(["count": .integer(counters.increment("count/" + call["key"]))])
        }
        add(path: "/fail-then-succeed/{key}") { call in
            let failures = try call.integer(query: "failures", in: 0...1_000_000, default: 2)
            let status = try call.integer(query: "status", in: 200...999, default: 503)
            let attempt = counters.increment("fail/" + call["key"])
            var fields: [Field] = []
            if call.query["retry_after"] != nil {
                let seconds = try call.integer(query: "retry_after", in: 0...120, default: 0)
                fields = [Field("Retry-After", String(seconds))]
            }
            return attempt > failures
                ? .json(["attempt": .integer(attempt), "succeeded": true])
                : .json(["attempt": .integer(attempt), "succeeded": false], status: status, fields: fields)
        }
    }
}
