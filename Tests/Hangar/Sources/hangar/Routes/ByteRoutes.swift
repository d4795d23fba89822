import Foundation

extension Router {
    /// Bytes by the amount, that anyone can check (`Pattern`).
    mutating func addByteRoutes(written: WriteMeter) {
        add("GET", path: "/bytes/{n}") { call in
            let count = try call.integer("n", in: 0...(1 << 40))
            let pattern = try call.pattern()
            let hashed = count <= 16 << 20
            let fields =
                hashed ? [Field("X-Content-SHA256", try Digest.hex(of: pattern.bytes(0..<count), .sha256))] : []
            let body = GeneratedBody(
                pattern, range: 0..<count, rate: try call.rate(), cut: try call.cut())
            return .stream(
                call.metered(body, by: written), length: call.query["chunked"] == "1" ? nil : count,
                type: "application/octet-stream", fields: fields)
        }
        add("GET", path: "/endless") { call in
            let body = GeneratedBody(try call.pattern(), range: 0..<Int.max, rate: try call.rate())
            return .stream(call.metered(body, by: written), length: nil, type: "application/octet-stream")
        }
        add("GET", path: "/written/{id}") { call in
            .json(["id": .string(call["id"]), "bytes": .integer(written.count(of: call["id"]))])
        }
    }
}

extension Call {
    /// The pattern of `?seed=`, 0 unless given.
    func pattern() throws -> Pattern {
        Pattern(seed: UInt64(try integer(query: "seed", in: 0...Int.max, default: 0)))
    }

    /// `?rate=`: bytes per second, nil for no limit.
    func rate() throws -> Double? {
        query["rate"] == nil ? nil : try number(query: "rate", in: 1...1e12, default: 1)
    }

    /// `?cut=`: after how many bytes the connection breaks, nil for never.
    func cut() throws -> Int? {
        query["cut"] == nil ? nil : try integer(query: "cut", in: 0...(1 << 40), default: 0)
    }

    fileprivate func metered(_ body: GeneratedBody, by meter: WriteMeter) -> GeneratedBody {
        query["id"].map { body.metered(meter, id: $0) } ?? body
    }
}
