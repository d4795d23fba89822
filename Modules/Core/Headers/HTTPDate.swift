package import Foundation

/// Dates in HTTP (RFC 9110 §5.6.7), in all three forms that a recipient must accept.
package enum HTTPDate {
    /// Parses a date: `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` or
    /// `Sun Nov  6 08:49:37 1994`. The name of the weekday is not checked.
    package static func date(from text: String) -> Date? {
        let words = text.split(whereSeparator: { $0 == " " || $0 == "," || $0 == "-" }).map(String.init)
        switch words.count {
        case 6: return words[5] == "GMT" ? date(day: words[1], month: words[2], year: words[3], time: words[4]) : nil
        case 5: return date(day: words[2], month: words[1], year: words[4], time: words[3])
        default: return nil
        }
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func date(day: String, month: String, year: String, time: String) -> Date? {
        let parts = time.split(separator: ":", omittingEmptySubsequences: false).map { number(String($0), digits: 2) }
        guard parts.count == 3, let hour = parts[0], let minute = parts[1], let second = parts[2],
            hour < 24, minute < 60, second <= 60, let month = months.firstIndex(of: month),
            let day = number(day, digits: 1) ?? number(day, digits: 2), let year = fullYear(year),
            (1...length(ofMonth: month, in: year)).contains(day)
        else { return nil }
        let days = daysSince1970(year: year, month: month + 1, day: day)
        return Date(timeIntervalSince1970: Double(days * 86_400 + hour * 3_600 + minute * 60 + second))
    }

    private static func number(_ text: String, digits: Int) -> Int? {
        guard text.utf8.count == digits, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }

    /// Returns the year. Two digits that would be more than 50 years ahead belong to the previous century.
    private static func fullYear(_ text: String) -> Int? {
        if let year = number(text, digits: 4) { return year }
        guard let short = number(text, digits: 2) else { return nil }
        let now = 1970 + Int(Date().timeIntervalSince1970 / 31_556_952)
        let year = now - now % 100 + short
        return year > now + 50 ? year - 100 : year
    }

    private static func length(ofMonth month: Int, in year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month]
    }

    /// Days of the Gregorian calendar, counted in eras of 400 years that begin in March, so that the leap day is last.
    private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = year / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}
