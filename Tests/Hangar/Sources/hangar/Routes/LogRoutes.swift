extension Router {
    /// The requests that the server received.
    mutating func addLogRoutes(log: RequestLog) {
        add("GET", path: "/log") { _ in .json(.array(log.recent.map(\.json))) }
        add("DELETE", path: "/log") { _ in
            log.clear()
            return .status(204)
        }
        add("GET", path: "/log/{token}") { call in
            .json(.array(log.entries(token: call["token"]).map(\.json)))
        }
        observe { call in
            if call.segments.first != "log" { log.record(call) }
        }
    }
}
