/// Finds the route of a request by its method and path.
struct Router: Sendable {
    typealias Handler = @Sendable (Call) async throws -> Reply

    private var table: [String: [Route]] = [:]
    private var observers: [@Sendable (Call) -> Void] = []
    /// Methods and path of each route, in the order in which they were added.
    private(set) var index: [String] = []

    /// Adds a route. `{name}` matches one segment, `{name...}` the rest of the path; no methods means any.
    mutating func add(_ methods: String..., path: String, handler: @escaping Handler) {
        let route = Route(methods: methods, path: path, handler: handler)
        table[route.firstSegment, default: []].append(route)
        index.append("\(methods.isEmpty ? "ANY" : methods.joined(separator: ",")) \(path)")
    }

    /// Shows each request to `observer` before its route has it.
    mutating func observe(_ observer: @escaping @Sendable (Call) -> Void) {
        observers.append(observer)
    }

    func reply(to call: Call) async throws -> Reply {
        for observer in observers { observer(call) }
        let candidates = (table[call.segments.first ?? ""] ?? []).compactMap { route in
            route.match(call.segments).map { (route, $0) }
        }
        guard !candidates.isEmpty else { throw Failure(404, "there is no \(call.target) here; see /") }
        guard let (route, parameters) = candidates.first(where: { $0.0.accepts(call.method) }) else {
            return try Self.refuse(call, allowed: candidates.flatMap(\.0.methods))
        }
        var call = call
        call.parameters = parameters
        return try await route.handler(call)
    }

    private static func refuse(_ call: Call, allowed: [String]) throws -> Reply {
        let methods = (allowed + (allowed.contains("GET") ? ["HEAD"] : []) + ["OPTIONS"]).joined(separator: ", ")
        let fields = [Field("Allow", methods)]
        guard call.method != "OPTIONS" else { return .status(200, fields: fields) }
        throw Failure(405, "\(call.target) takes \(methods), not \(call.method)", fields: fields)
    }
}

/// One method and path with its handler.
struct Route: Sendable {
    private enum Segment: Sendable {
        case literal(String)
        case parameter(String)
        case rest(String)
    }

    let methods: [String]
    let handler: Router.Handler
    private let pattern: [Segment]

    init(methods: [String], path: String, handler: @escaping Router.Handler) {
        self.methods = methods
        self.handler = handler
        pattern = path.split(separator: "/").map { part in
            guard part.hasPrefix("{"), part.hasSuffix("}") else { return .literal(String(part)) }
            let name = part.dropFirst().dropLast()
            return name.hasSuffix("...") ? .rest(String(name.dropLast(3))) : .parameter(String(name))
        }
    }

    /// Routes are found by it; every path here begins with a literal.
    var firstSegment: String {
        if case .literal(let text) = pattern.first { text } else { "" }
    }

    /// A route that answers GET answers HEAD too; the body is left out when the response is sent.
    func accepts(_ method: String) -> Bool {
        methods.isEmpty || methods.contains(method == "HEAD" ? "GET" : method)
    }

    func match(_ segments: [String]) -> [String: String]? {
        var parameters: [String: String] = [:]
        for (index, segment) in pattern.enumerated() {
            if case .rest(let name) = segment {
                parameters[name] = segments.dropFirst(index).joined(separator: "/")
                return parameters
            }
            guard index < segments.count else { return nil }
            switch segment {
            case .literal(let text): guard text == segments[index] else { return nil }
            case .parameter(let name): parameters[name] = segments[index]
            case .rest: return nil
            }
        }
        return segments.count == pattern.count ? parameters : nil
    }
}
