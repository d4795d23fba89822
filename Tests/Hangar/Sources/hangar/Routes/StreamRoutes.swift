import Foundation

extension Router {
    /// Bodies that come a message at a time.
    mutating func addStreamRoutes() {
        add("GET", path: "/stream/{n}") { call in
            let count = try call.integer("n", in: 0...100_000_000)
            let interval = try call.number(query: "interval", in: 0...120, default: 0)
            let members = try await Echo(call).members.filter {
                ["args", "headers", "origin", "url"].contains($0.name)
            }
            let body = GeneratedBody.messages(0..<count, interval: interval) { number in
                JSON.object([("id", .integer(number))] + members).text
            }
            return .stream(body, length: nil, type: "application/json")
        }
        add("GET", path: "/sse") { call in
            let count = try call.integer(query: "count", in: 0...100_000_000, default: 5)
            let interval = try call.number(query: "interval", in: 0...120, default: 0.1)
            let first = min(count, (call.field("Last-Event-ID").flatMap { Int($0) } ?? -1).addingWithoutOverflow(1))
            let body = GeneratedBody.messages(max(0, first)..<count, interval: interval) { number in
                let data: JSON = ["id": .integer(number), "text": .string("message \(number)")]
                return "id: \(number)\nevent: message\ndata: \(data.compact)\n\n"
            }
            return .stream(
                body, length: nil, type: "text/event-stream", fields: [Field("Cache-Control", "no-store")])
        }
    }
}

extension GeneratedBody {
    /// One message for each number, `interval` seconds after the one before.
    fileprivate static func messages(
        _ numbers: Range<Int>, interval: Double, text: @escaping @Sendable (Int) -> String
    ) -> GeneratedBody {
        GeneratedBody {
            var numbers = numbers.makeIterator()
            var isFirst = true
            return {
                guard let number = numbers.next() else { return nil }
                if interval > 0, !isFirst { try await Task.sleep(for: .seconds(interval)) }
                isFirst = false
                return Data(text(number).utf8)
            }
        }
    }
}

extension Int {
    fileprivate func addingWithoutOverflow(_ other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
