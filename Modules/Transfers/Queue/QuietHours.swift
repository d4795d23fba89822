public import Foundation

/// Hours of the day in which a queue transfers nothing.
public struct QuietHours: Codable, Sendable, Hashable {
    /// The first quiet minute of the day, from 0 to 1439.
    public let start: Int
    /// The first minute after the quiet hours, from 0 to 1439. A value below ``start`` is a minute of the next day.
    public let end: Int
    /// The name of the time zone; `nil` for the system's.
    public let timeZone: String?

    /// Creates quiet hours.
    ///
    /// - Parameters:
    ///   - start: The first quiet minute of the day, from 0 to 1439.
    ///   - end: The first minute after the quiet hours, from 0 to 1439.
    ///   - timeZone: The name of the time zone; `nil` for the system's.
    /// - Returns: `nil` for minutes out of range, the same minute twice, or an unknown time zone.
    public init?(from start: Int, to end: Int, timeZone: String? = nil) {
        guard (0..<1440).contains(start), (0..<1440).contains(end), start != end,
            timeZone == nil || TimeZone(identifier: timeZone ?? "") != nil
        else { return nil }
        self.start = start
        self.end = end
        self.timeZone = timeZone
    }

    /// Parses `22:00-06:30`.
    ///
    /// - Returns: `nil` for any other form.
    public init?(_ text: String, timeZone: String? = nil) {
        let minutes = text.split(separator: "-", omittingEmptySubsequences: false).map { time -> Int? in
            let parts = time.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 2,
                parts.allSatisfy({ $0.utf8.count == 2 && $0.utf8.allSatisfy { (48...57).contains($0) } }),
                let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
            else { return nil }
            return hour * 60 + minute
        }
        guard minutes.count == 2, let start = minutes[0], let end = minutes[1] else { return nil }
        self.init(from: start, to: end, timeZone: timeZone)
    }

    /// Returns whether a date is in the quiet hours.
    public func contains(_ date: Date) -> Bool {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone.flatMap(TimeZone.init(identifier:)) ?? .current
        let parts = calendar.dateComponents([.hour, .minute], from: date)
        let minute = (parts.hour ?? 0) * 60 + (parts.minute ?? 0)
        return start < end ? (start..<end).contains(minute) : minute >= start || minute < end
    }
}
