internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes

/// The outcome of one exchange.
struct ExchangeOutcome: Sendable {
    var head: HTTPResponse?
    var expectedLength: Int64?
    var connection: TransportConnection?
    var data = Data()
    var trailers: HTTPFields?
    var error: TransportError?
    /// By the system's clock.
    var elapsed = Duration.zero
    let events: EventLog

    var status: Int? { head?.status.code }
    var text: String { String(decoding: data, as: UTF8.self) }
    /// Whether a complete response arrived.
    var isWhole: Bool { error == nil && head != nil }

    func values(_ name: String) -> [String] {
        HTTPField.Name(name).map { head?.headerFields[values: $0] ?? [] } ?? []
    }

    /// The outcome in one line.
    var summary: String {
        if let error { return "\(error.code) in \(error.phase): \(error)" }
        guard let head else { return "nothing" }
        let start = String(decoding: data.prefix(60), as: UTF8.self).debugDescription
        return "status \(head.status.code) with \(data.count) bytes: \(start)"
    }
}
