internal import FoundationEssentials

/// Dates in field values, parsed strictly in the three forms of RFC 9110 §5.6.7.
///
/// A cache must treat an invalid `Expires` as past (RFC 9111 §5.3), so a lenient parser would serve stale responses.
enum CalendarDate {
    /// The instant, in seconds since 1970, or `nil` for text in none of the three forms.
    static func seconds(_ text: String, now: Double) -> Double? {
        let bytes = Array(text.utf8)
        return fixdate(bytes) ?? rfc850(bytes, now: now) ?? asctime(bytes)
    }

    /// The date in the preferred form, `Sun, 06 Nov 1994 08:49:37 GMT`.
    static func text(_ seconds: Double) -> String {
        let whole = Int(max(-62_135_596_800, min(seconds, 253_402_300_799)).rounded(.down))
        let (days, rest) = (floorDivide(whole, 86_400), ((whole % 86_400) + 86_400) % 86_400)
        let (year, month, day) = civil(days)
        let weekday = ((days + 4) % 7 + 7) % 7
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let fullYear = String(repeating: "0", count: max(0, 4 - "\(year)".count)) + "\(year)"
        return "\(weekdays[weekday]), \(two(day)) \(months[month - 1]) \(fullYear) "
            + "\(two(rest / 3600)):\(two(rest / 60 % 60)):\(two(rest % 60)) GMT"
    }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let longWeekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// `Sun, 06 Nov 1994 08:49:37 GMT`.
    private static func fixdate(_ bytes: [UInt8]) -> Double? {
        guard bytes.count == 29, name(bytes[0..<3], in: weekdays) != nil, matches(bytes[3..<5], ", "),
            bytes[7] == space, bytes[11] == space, bytes[16] == space, matches(bytes[25..<29], " gmt"),
            let day = number(bytes[5..<7]), let month = name(bytes[8..<11], in: months),
            let year = number(bytes[12..<16])
        else { return nil }
        return instant(year, month + 1, day, time: bytes[17..<25])
    }

    /// `Sunday, 06-Nov-94 08:49:37 GMT`.
    private static func rfc850(_ bytes: [UInt8], now: Double) -> Double? {
        guard let comma = bytes.firstIndex(of: UInt8(ascii: ",")), bytes.count == comma + 24,
            name(bytes[..<comma], in: longWeekdays) != nil, bytes[comma + 1] == space,
            bytes[comma + 4] == dash, bytes[comma + 8] == dash, bytes[comma + 11] == space,
            matches(bytes[(comma + 20)...], " gmt"), let day = number(bytes[(comma + 2)..<(comma + 4)]),
            let month = name(bytes[(comma + 5)..<(comma + 8)], in: months),
            let twoDigits = number(bytes[(comma + 9)..<(comma + 11)])
        else { return nil }
        // A date that appears to be more than 50 years in the future is in the past century (RFC 9110 §5.6.7).
        let thisYear = civil(floorDivide(Int(max(0, min(now, 1e11))), 86_400)).year
        var year = thisYear - thisYear % 100 + twoDigits
        if year > thisYear + 50 { year -= 100 }
        return instant(year, month + 1, day, time: bytes[(comma + 12)..<(comma + 20)])
    }

    /// `Sun Nov  6 08:49:37 1994`.
    private static func asctime(_ bytes: [UInt8]) -> Double? {
        guard bytes.count == 24, name(bytes[0..<3], in: weekdays) != nil, bytes[3] == space, bytes[7] == space,
            bytes[10] == space, bytes[19] == space, let month = name(bytes[4..<7], in: months),
            let day = number(bytes[8] == space ? bytes[9..<10] : bytes[8..<10]), let year = number(bytes[20..<24])
        else { return nil }
        return instant(year, month + 1, day, time: bytes[11..<19])
    }

    private static func instant(_ year: Int, _ month: Int, _ day: Int, time: ArraySlice<UInt8>) -> Double? {
        let start = time.startIndex
        guard time[start + 2] == colon, time[start + 5] == colon, let hour = number(time[start..<(start + 2)]),
            let minute = number(time[(start + 3)..<(start + 5)]), let second = number(time[(start + 6)..<(start + 8)]),
            hour < 24, minute < 60, second <= 60, (1...31).contains(day)
        else { return nil }
        let days = daysSince1970(year, month, day)
        guard civil(days) == (year, month, day) else { return nil }
        return Double(days * 86_400 + hour * 3600 + minute * 60 + min(second, 59))
    }

    private static let space = UInt8(ascii: " ")
    private static let dash = UInt8(ascii: "-")
    private static let colon = UInt8(ascii: ":")

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
        var number = 0
        for byte in bytes {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            number = number * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return number
    }

    private static func name(_ bytes: ArraySlice<UInt8>, in names: [String]) -> Int? {
        names.firstIndex { matches(bytes, $0.lowercased()) }
    }

    private static func matches(_ bytes: ArraySlice<UInt8>, _ lowercase: String) -> Bool {
        bytes.elementsEqual(lowercase.utf8) { byte, expected in
            byte == expected || ((UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) && byte | 0x20 == expected)
        }
    }

    private static func floorDivide(_ number: Int, _ divisor: Int) -> Int {
        number >= 0 ? number / divisor : (number - divisor + 1) / divisor
    }

    /// Days since 1970 of a date in the proleptic Gregorian calendar; years from 0 to 9999.
    private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        // Counting years from March puts the leap day at their end.
        let shifted = month > 2 ? year : year - 1
        let era = floorDivide(shifted, 400)
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = floorDivide(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }
}
