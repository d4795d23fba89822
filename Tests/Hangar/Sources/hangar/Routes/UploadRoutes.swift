import Foundation

extension Router {
    /// The endpoints that receive request bodies.
    mutating func addUploadRoutes() {
        add("POST", "PUT", "PATCH", path: "/upload") { call in try await Self.receive(call, rate: nil) }
        add("POST", "PUT", "PATCH", path: "/upload-slow") { call in
            try await Self.receive(call, rate: try call.number(query: "rate", in: 1...1e12, default: 65_536))
        }
        add(path: "/upload-reject") { _ in
            var reply = Failure(413, "nothing is taken here").reply
            reply.closesConnection = true
            return reply
        }
    }

    private static func receive(_ call: Call, rate: Double?) async throws -> Reply {
        let digest = call.query["hash"] == "none" ? nil : try Digest(.sha256)
        var count = 0
        let clock = ContinuousClock()
        let began = clock.now
        try await call.body.read { piece in
            count += piece.count
            digest?.update(piece)
            if let rate { try await clock.sleep(until: began + .seconds(Double(count) / rate)) }
        }
        return .json([
            "bytes": .integer(count),
            "sha256": digest.map { .string($0.hex()) } ?? .null,
            "chunked": .bool(call.field("Transfer-Encoding") != nil),
            "contentType": call.field("Content-Type").map(JSON.string) ?? .null,
            "method": .string(call.method),
        ])
    }
}
