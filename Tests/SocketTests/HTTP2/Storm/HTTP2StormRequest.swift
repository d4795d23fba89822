import AirframeSocket
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes

/// One request of a storm: its method, its content, and the fault of its first attempt.
struct HTTP2StormRequest {
    /// How often a fault happens, in a thousand requests. Faults that end a connection are rare: each takes up to eight
    /// requests with it.
    private static let shares: [(fault: String, share: Int)] = [
        ("refuse", 30), ("informational", 30), ("padded", 30), ("reset", 20), ("reset-in-content", 20), ("short", 15),
        ("long", 15), ("uppercase", 15), ("connection-field", 15), ("pseudo-trailers", 15), ("stall", 5),
        ("exclude", 5),
        ("close", 4), ("close-in-content", 4), ("abort", 4), ("malformed-block", 2), ("push", 2), ("overflow", 4),
    ]

    /// The faults after which the attempt is answered.
    private static let harmless: Set<String> = ["refuse", "informational", "padded", "exclude"]

    let id: String
    let isPost: Bool
    let length: Int
    let fault: String?

    /// - Parameters:
    ///   - number: The index in the storm.
    ///   - storm: The storm's name, different in each run.
    ///   - generator: The generator that draws the request.
    init(_ number: Int, of storm: String, _ generator: inout some RandomNumberGenerator) {
        id = "\(storm)-\(number)"
        isPost = Int.random(in: 0..<3, using: &generator) == 0
        length = Int.random(in: 2..<30_000, using: &generator)
        var draw = Int.random(in: 0..<1_000, using: &generator)
        fault =
            Self.shares.first { entry in
                draw -= entry.share
                return draw < 0
            }?.fault
    }

    private var content: Data { Data(repeating: isPost ? 0x61 : 0x78, count: length) }

    /// The time after which the caller cancels the request.
    var patience: Duration? { fault == "stall" ? .milliseconds(30) : nil }

    func message(to origin: String, _ log: EventLog) -> TransportRequest {
        TransportRequest(isPost ? .post : .get, origin + "/", body: isPost ? .bytes(content) : .none).with {
            var values = ["x-id": id, "x-length": "\(length)"]
            values["x-fault"] = fault
            $0.head.headerFields = HTTPFields(named: values)
            $0.options.httpVersion = .http2PriorKnowledge
            $0.options.deadline = .seconds(120)
            $0.events = log
        }
    }

    /// Returns the violated rules.
    ///
    /// - Parameters:
    ///   - result: The outcome.
    ///   - log: The events.
    ///   - reads: The number of times that the server has processed it.
    func defects(_ result: Result<Data, TransportError>, _ log: EventLog, reads: Int) -> [String] {
        var defects: [String] = []
        if log.endCount != 1 { defects.append("it ended \(log.endCount) times") }
        if isPost, reads > 1 { defects.append("POST was processed \(reads) times") }
        switch result {
        case .success(let data):
            if data != content { defects.append("the response has \(data.count) bytes, not \(length)") }
            if reads == 0 { defects.append("it was answered and not processed") }
            if reads == 1, let fault, !Self.harmless.contains(fault) { defects.append("the fault became an answer") }
        case .failure(let error):
            if reads > 0, error.processing != .unknown { defects.append("it was processed, and the error denies it") }
            if error.code == .timedOut { defects.append("it hung") }
        }
        return defects.map { "\(id) (\(fault ?? "no fault"), \(isPost ? "POST" : "GET")): \($0); \(result)" }
    }
}
