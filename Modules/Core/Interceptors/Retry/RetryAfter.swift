package import AirframeTransport
package import Foundation

/// The value of a `Retry-After` field (RFC 9110 §10.2.3).
package enum RetryAfter: Equatable {
    /// A delay in seconds.
    case seconds(TimeInterval)
    /// A date before which not to retry.
    case date(Date)

    /// Parses the field of a response. Returns `nil` if there is none, or it is neither a number of seconds nor a date.
    package init?(_ response: HTTPURLResponse) {
        guard let value = response.value(forHTTPHeaderField: "Retry-After") else { return nil }
        self.init(value)
    }

    /// Parses the value of a field. Returns `nil` if it is neither a number of seconds nor a date.
    package init?(_ value: String) {
        let text = value.trimmingCharacters(in: .whitespaces)
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            // A number with too many digits is a delay without end.
            self = .seconds(Double(text) ?? .infinity)
        } else if let date = HTTPDate.date(from: text) {
            self = .date(date)
        } else {
            return nil
        }
    }

    /// Returns the seconds to wait from now; zero if the date has passed.
    package func delay(on clock: any TransportClock) -> TimeInterval {
        switch self {
        case .seconds(let seconds): seconds
        case .date(let date): max(0, date.timeIntervalSince(clock.date(at: clock.now)))
        }
    }
}
