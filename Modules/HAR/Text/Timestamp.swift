internal import FoundationEssentials

extension HAR {
    /// Dates in the format: ISO 8601 with fractions and an offset.
    enum Timestamp {
        /// Returns `2026-11-22T07:00:00.123456Z`. Microseconds distinguish fast requests within a millisecond.
        static func text(_ date: Date) -> String {
            let limit = 9e15
            let microseconds = (date.timeIntervalSince1970 * 1e6).rounded()
            let total = Int64(min(max(microseconds.isNaN ? 0 : microseconds, -limit), limit))
            let (day, time) = divide(total, by: 86_400_000_000)
            let (year, month, dayOfMonth) = civil(fromDays: day)
            let (second, fraction) = divide(time, by: 1_000_000)
            let clock = [second / 3600, second / 60 % 60, second % 60].map { padded($0, 2) }.joined(separator: ":")
            return "\(padded(year, 4))-\(padded(month, 2))-\(padded(dayOfMonth, 2))T\(clock).\(padded(fraction, 6))Z"
        }

        /// Parses a date of ISO 8601; `nil` if it is malformed. A date without an offset is in UTC.
        static func date(_ text: String) -> Date? {
            var rest = Substring(text.split(whereSeparator: \.isWhitespace).joined(separator: "T"))
            guard let year = digits(4, of: &rest), skip("-", of: &rest),
                let month = digits(2, of: &rest), (1...12).contains(month), skip("-", of: &rest),
                let day = digits(2, of: &rest), (1...31).contains(day)
            else { return nil }
            var seconds = Double(days(year, month, day) * 86_400)
            if skip("T", of: &rest) || skip("t", of: &rest) {
                guard let time = time(of: &rest), let offset = offset(of: &rest) else { return nil }
                seconds += time - Double(offset)
            }
            return rest.isEmpty ? Date(timeIntervalSince1970: seconds) : nil
        }

        // MARK: Reading

        private static func time(of rest: inout Substring) -> Double? {
            guard let hour = digits(2, of: &rest), hour < 25, skip(":", of: &rest),
                let minute = digits(2, of: &rest), minute < 60
            else { return nil }
            var seconds = Double(hour * 3600 + minute * 60)
            guard skip(":", of: &rest) else { return seconds }
            guard let second = digits(2, of: &rest), second < 61 else { return nil }
            seconds += Double(second)
            guard skip(".", of: &rest) || skip(",", of: &rest) else { return seconds }
            let fraction = rest.prefix { ("0"..."9").contains($0) }
            rest = rest.dropFirst(fraction.count)
            guard let value = Double("0.\(fraction)"), !fraction.isEmpty else { return nil }
            return seconds + value
        }

        /// Parses the offset from UTC in seconds: `Z`, `+01:00`, `+0100`, `+01`, or nothing.
        private static func offset(of rest: inout Substring) -> Int? {
            if rest.isEmpty || skip("Z", of: &rest) || skip("z", of: &rest) { return 0 }
            let isNegative = skip("-", of: &rest)
            guard isNegative || skip("+", of: &rest), let hours = digits(2, of: &rest) else { return nil }
            _ = skip(":", of: &rest)
            let minutes = rest.isEmpty ? 0 : digits(2, of: &rest)
            guard let minutes, hours < 24, minutes < 60 else { return nil }
            return (isNegative ? -1 : 1) * (hours * 3600 + minutes * 60)
        }

        private static func digits(_ count: Int, of rest: inout Substring) -> Int? {
            let text = rest.prefix(count)
            guard text.count == count, text.allSatisfy({ ("0"..."9").contains($0) }) else { return nil }
            rest = rest.dropFirst(count)
            return Int(text)
        }

        private static func skip(_ character: Character, of rest: inout Substring) -> Bool {
            guard rest.first == character else { return false }
            rest = rest.dropFirst()
            return true
        }

        // MARK: The calendar

        /// Returns the days from 1 January 1970 to a day of the Gregorian calendar. Years begin in March, so that the
        /// leap day is their last.
        private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
            let shifted = month > 2 ? year : year - 1
            let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
            return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
        }

        private static func civil(fromDays days: Int64) -> (year: Int64, month: Int64, day: Int64) {
            let (era, dayOfEra) = divide(days + 719_468, by: 146_097)
            let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
            let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
            let shiftedMonth = (5 * dayOfYear + 2) / 153
            let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
            let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
            return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
        }

        /// Returns quotient and remainder; the remainder is never negative.
        private static func divide(_ value: Int64, by divisor: Int64) -> (Int64, Int64) {
            let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
            return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
        }

        private static func padded(_ number: Int64, _ width: Int) -> String {
            let text = "\(number)"
            return String(repeating: "0", count: max(0, width - text.count)) + text
        }
    }
}
