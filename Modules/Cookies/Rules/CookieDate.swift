internal import FoundationEssentials

/// The date of an `Expires` attribute, parsed as leniently as RFC 6265bis §5.1.1 demands.
enum CookieDate {
    private struct Fields {
        var time: (hour: Int, minute: Int, second: Int)?
        var day: Int?
        var month: Int?
        var year: Int?

        /// Uses a token as the first of time, day, month and year that is missing and that it matches.
        mutating func take(_ token: Substring.UTF8View) {
            if time == nil, let found = CookieDate.time(in: token) {
                time = found
            } else if day == nil, let found = CookieDate.number(in: token, digits: 1...2) {
                day = found
            } else if month == nil, let found = CookieDate.month(in: token) {
                month = found
            } else if year == nil, let found = CookieDate.number(in: token, digits: 2...4) {
                year = found
            }
        }
    }

    /// Parses a date; `nil` if `text` is not a date.
    static func parse(_ text: some StringProtocol) -> Date? {
        var fields = Fields()
        for token in Substring(text).utf8.split(whereSeparator: isDelimiter) {
            fields.take(token)
        }
        guard let time = fields.time, let day = fields.day, let month = fields.month, var year = fields.year else {
            return nil
        }
        if (70...99).contains(year) { year += 1900 } else if (0...69).contains(year) { year += 2000 }
        guard year >= 1601, (1...days(of: month, in: year)).contains(day), time.hour <= 23, time.minute <= 59,
            time.second <= 59
        else { return nil }
        let seconds = time.hour * 3600 + time.minute * 60 + time.second
        return Date(timeIntervalSince1970: Double(daysSince1970(year, month, day) * 86_400 + seconds))
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// The number at the start of a token, if it has that many digits; anything but a digit may follow.
    private static func number(in token: Substring.UTF8View, digits: ClosedRange<Int>) -> Int? {
        let number = token.prefix(while: isDigit)
        guard digits.contains(number.count) else { return nil }
        return number.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    private static func time(in token: Substring.UTF8View) -> (Int, Int, Int)? {
        let parts = token.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].allSatisfy(isDigit), parts[1].allSatisfy(isDigit),
            let hour = number(in: parts[0], digits: 1...2), let minute = number(in: parts[1], digits: 1...2),
            let second = number(in: parts[2], digits: 1...2)
        else { return nil }
        return (hour, minute, second)
    }

    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    private static func month(in token: Substring.UTF8View) -> Int? {
        let beginning = String(decoding: token.prefix(3).map { $0 | 0x20 }, as: UTF8.self)
        return months.firstIndex(of: beginning).map { $0 + 1 }
    }

    private static func days(of month: Int, in year: Int) -> Int {
        switch month {
        case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days of the proleptic Gregorian calendar. The year begins in March, so that the leap day is its last day.
    private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let years = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return years * 365 + years / 4 - years / 100 + years / 400 + dayOfYear - 719_468
    }
}
