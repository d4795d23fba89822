internal import FoundationEssentials

extension HAR {
    /// An object of the format that is read from and written to a JSON object.
    protocol Node: Sendable, Codable {
        init(_ fields: inout Fields) throws(ReadingError)
        func write(to object: inout TextWriter)
    }

    /// The unread members of an object. Those left at the end are a tool's own.
    ///
    /// Tools deviate from the format: `null` counts as a missing member, and numbers may be strings.
    struct Fields {
        private(set) var rest: [String: Value]

        init(_ value: Value) throws(ReadingError) {
            guard case .object(let members) = value else {
                throw ReadingError("an object was expected, not \(value.kind)")
            }
            rest = members
        }

        private mutating func take(_ name: String) -> Value? {
            guard let value = rest.removeValue(forKey: name), value != .null else { return nil }
            return value
        }

        mutating func text(_ name: String) throws(ReadingError) -> String? {
            switch take(name) {
            case nil: return nil
            case .string(let text): return text
            case .number(let number): return TextWriter.text(of: number)
            case let value?: throw Self.mismatch("a string", value, name)
            }
        }

        mutating func flag(_ name: String) throws(ReadingError) -> Bool? {
            switch take(name) {
            case nil: return nil
            case .bool(let flag): return flag
            case let value?: throw Self.mismatch("a truth value", value, name)
            }
        }

        private mutating func number(_ name: String) throws(ReadingError) -> Double? {
            switch take(name) {
            case nil: return nil
            case .number(let number): return number
            case .string(let text) where text.isEmpty: return nil
            case let value?:
                guard let number = value.string.flatMap(Double.init), number.isFinite else {
                    throw Self.mismatch("a number", value, name)
                }
                return number
            }
        }

        mutating func integer(_ name: String) throws(ReadingError) -> Int64? {
            guard let number = try number(name) else { return nil }
            guard let integer = Int64(exactly: number.rounded()) else {
                throw ReadingError("\(number) is too large").within(name)
            }
            return integer
        }

        /// Returns a number of bytes; `nil` for -1, which means unknown.
        mutating func size(_ name: String) throws(ReadingError) -> Int64? {
            try integer(name).flatMap { $0 < 0 ? nil : $0 }
        }

        /// Returns a number of milliseconds; `nil` for -1, which means not applicable.
        mutating func measure(_ name: String) throws(ReadingError) -> Double? {
            try number(name).flatMap { $0 < 0 ? nil : $0 }
        }

        mutating func date(_ name: String) throws(ReadingError) -> Date? {
            guard let text = try text(name) else { return nil }
            guard let date = Timestamp.date(text) else {
                throw ReadingError("“\(text.prefix(40))” is not a date of ISO 8601").within(name)
            }
            return date
        }

        mutating func node<Child: Node>(_ name: String) throws(ReadingError) -> Child? {
            guard let value = take(name) else { return nil }
            do throws(ReadingError) {
                var fields = try Fields(value)
                return try Child(&fields)
            } catch {
                throw error.within(name)
            }
        }

        mutating func nodes<Child: Node>(_ name: String) throws(ReadingError) -> [Child] {
            guard let value = take(name) else { return [] }
            guard case .array(let elements) = value else { throw Self.mismatch("an array", value, name) }
            var children: [Child] = []
            children.reserveCapacity(elements.count)
            for (index, element) in elements.enumerated() {
                do throws(ReadingError) {
                    var fields = try Fields(element)
                    children.append(try Child(&fields))
                } catch {
                    throw error.within("[\(index)]").within(name)
                }
            }
            return children
        }

        private static func mismatch(_ expectation: String, _ value: Value, _ name: String) -> ReadingError {
            ReadingError("\(expectation) was expected, not \(value.kind)").within(name)
        }
    }

    static func required<Member>(_ name: String, _ value: Member?) throws(ReadingError) -> Member {
        guard let value else { throw ReadingError("it is missing").within(name) }
        return value
    }
}
