import Foundation

extension Router {
    /// Responses that take their time.
    mutating func addTimingRoutes() {
        add(path: "/delay/{seconds}") { call in
            let seconds = try call.seconds("seconds", in: 0...120)
            try await Task.sleep(for: .seconds(seconds))
            return try await .echo(call)
        }
        add("GET", path: "/drip") { call in try await Self.drip(call) }
        add("GET", path: "/slow-body/{n}") { call in
            let count = try call.integer("n", in: 0...(1 << 40))
            let rate = try call.number(query: "rate", in: 1...1e12, default: 1024)
            let body = GeneratedBody(try call.pattern(), range: 0..<count, rate: rate)
            return .stream(body, length: count, type: "application/octet-stream")
        }
    }

    /// A byte at a time, evenly over the duration.
    private static func drip(_ call: Call) async throws -> Reply {
        let count = try call.integer(query: "numbytes", in: 1...10_000_000, default: 10)
        let duration = try call.number(query: "duration", in: 0...120, default: 2)
        let delay = try call.number(query: "delay", in: 0...120, default: 2)
        let code = try call.integer(query: "code", in: 200...999, default: 200)
        try await Task.sleep(for: .seconds(delay))
        let body = GeneratedBody {
            var sent = 0
            let clock = ContinuousClock()
            let began = clock.now
            return {
                guard sent < count else { return nil }
                try await clock.sleep(until: began + .seconds(duration * Double(sent) / Double(count)))
                sent += 1
                return Data("*".utf8)
            }
        }
        return .stream(body, length: count, type: "application/octet-stream", status: code)
    }
}
