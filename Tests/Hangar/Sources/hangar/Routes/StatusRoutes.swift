extension Router {
    /// Any final status.
    mutating func addStatusRoutes() {
        add(path: "/status/{code}") { call in
            let code = try call.integer("code", in: 200...999)
            return .status(code, fields: Self.fields(for: code))
        }
    }

    private static func fields(for code: Int) -> [Field] {
        switch code {
        case 304: [Field("ETag", "\"status\"")]
        case 300...399: [Field("Location", "/redirect/1")]
        case 401: [Field("WWW-Authenticate", "Basic realm=\"Hangar\"")]
        case 405: [Field("Allow", "GET")]
        case 407: [Field("Proxy-Authenticate", "Basic realm=\"Hangar\"")]
        default: []
        }
    }
}
