package import AirframeTransport
package import Foundation

/// When a server wants to be asked again (RFC 9110 §10.2.3).
package enum RetryAfter: Equatable {
    /// After so many seconds.
    case seconds(TimeInterval)
    /// Not before this date.
    case date(Date)

    /// Reads the field of a response; `nil` when it has none, or one that is neither a number of seconds nor a date.
    package init?(_ response: HTTPURLResponse) {
        guard let value = response.value(forHTTPHeaderField: "Retry-After") else { return nil }
        self.init(value)
    }

    /// Reads a field's value.
    init?(_ value: String) {
        let text = value.trimmingCharacters(in: .whitespaces)
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            // More digits than any number has are a wait that nobody takes.
            self = .seconds(Double(text) ?? .infinity)
        } else if let date = HTTPDate.date(from: text) {
            self = .date(date)
        } else {
            return nil
        }
    }

    /// The seconds to wait from now on; zero when the date has passed.
    package func delay(on clock: any TransportClock) -> TimeInterval {
        switch self {
        case .seconds(let seconds): seconds
        case .date(let date): max(0, date.timeIntervalSince(clock.date(at: clock.now)))
        }
    }
}
