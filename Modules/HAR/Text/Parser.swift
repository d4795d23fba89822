internal import FoundationEssentials

extension HAR {
    /// A parser of JSON (RFC 8259).
    ///
    /// Foundation's parser rejects truncated text. The archive of a writer that was killed is truncated, and its
    /// earlier entries can be recovered.
    struct Parser {
        private static let maximumDepth = 128
        /// The depth of the arrays in `log`. Values below it are recovered only if they are complete.
        private static let recoverableDepth = 2

        private let bytes: [UInt8]
        private let isRecovering: Bool
        private var index = 0

        private init(_ bytes: [UInt8], isRecovering: Bool) {
            self.bytes = bytes
            self.isRecovering = isRecovering
        }

        static func parse(_ data: Data, recovering isRecovering: Bool = false) throws(ReadingError) -> Value {
            var parser = Parser([UInt8](data), isRecovering: isRecovering)
            if parser.bytes.starts(with: [0xEF, 0xBB, 0xBF]) { parser.index = 3 }
            let value: Value
            do throws(Failure) {
                value = try parser.value(depth: 0)
                parser.skipBlanks()
                if parser.index < parser.bytes.count, !isRecovering {
                    throw .malformed("there is text after the end of the value", at: parser.index)
                }
            } catch {
                throw error.readingError
            }
            return value
        }

        private enum Failure: Error {
            /// The text is truncated.
            case end
            /// The text is malformed at an offset.
            case malformed(String, at: Int)

            var readingError: ReadingError {
                switch self {
                case .end: ReadingError("the text ends in the middle")
                case .malformed(let message, let offset): ReadingError("\(message) (byte \(offset))")
                }
            }
        }

        // MARK: Values

        private mutating func value(depth: Int) throws(Failure) -> Value {
            guard depth < Self.maximumDepth else { throw .malformed("it is nested too deeply", at: index) }
            skipBlanks()
            switch try peek() {
            case UInt8(ascii: "{"): return .object(try object(depth: depth))
            case UInt8(ascii: "["): return .array(try array(depth: depth))
            case UInt8(ascii: "\""): return .string(try string())
            case UInt8(ascii: "t"): return try word("true", .bool(true))
            case UInt8(ascii: "f"): return try word("false", .bool(false))
            case UInt8(ascii: "n"): return try word("null", .null)
            default: return .number(try number())
            }
        }

        private mutating func object(depth: Int) throws(Failure) -> [String: Value] {
            var members: [String: Value] = [:]
            index += 1
            do throws(Failure) {
                skipBlanks()
                if try take(UInt8(ascii: "}")) { return members }
                while true {
                    skipBlanks()
                    let name = try string()
                    skipBlanks()
                    try require(UInt8(ascii: ":"), "a colon")
                    members[name] = try value(depth: depth + 1)
                    skipBlanks()
                    if try take(UInt8(ascii: "}")) { return members }
                    try require(UInt8(ascii: ","), "a comma or the end of the object")
                }
            } catch {
                try recover(from: error, depth: depth)
                return members
            }
        }

        private mutating func array(depth: Int) throws(Failure) -> [Value] {
            var elements: [Value] = []
            index += 1
            do throws(Failure) {
                skipBlanks()
                if try take(UInt8(ascii: "]")) { return elements }
                while true {
                    elements.append(try value(depth: depth + 1))
                    skipBlanks()
                    if try take(UInt8(ascii: "]")) { return elements }
                    try require(UInt8(ascii: ","), "a comma or the end of the array")
                }
            } catch {
                try recover(from: error, depth: depth)
                return elements
            }
        }

        /// Treats the end of the text as the end of an object or array.
        private func recover(from failure: Failure, depth: Int) throws(Failure) {
            guard case .end = failure, isRecovering, depth <= Self.recoverableDepth else { throw failure }
        }

        private mutating func word(_ word: StaticString, _ value: Value) throws(Failure) -> Value {
            for offset in 0..<word.utf8CodeUnitCount {
                let expected = word.withUTF8Buffer { $0[offset] }
                guard try peek() == expected else { throw .malformed("this is not a value", at: index) }
                index += 1
            }
            return value
        }

        private mutating func number() throws(Failure) -> Double {
            let start = index
            while index < bytes.count, "+-.eE0123456789".utf8.contains(bytes[index]) { index += 1 }
            let text = String(decoding: bytes[start..<index], as: UTF8.self)
            guard index > start, let number = Double(text), number.isFinite else {
                throw .malformed("this is not a value", at: start)
            }
            return number
        }

        // MARK: Strings

        private mutating func string() throws(Failure) -> String {
            try require(UInt8(ascii: "\""), "a string")
            var text: [UInt8] = []
            var start = index
            while true {
                switch try peek() {
                case UInt8(ascii: "\""):
                    text += bytes[start..<index]
                    index += 1
                    return String(decoding: text, as: UTF8.self)
                case UInt8(ascii: "\\"):
                    text += bytes[start..<index]
                    index += 1
                    try escape(into: &text)
                    start = index
                default: index += 1
                }
            }
        }

        private mutating func escape(into text: inout [UInt8]) throws(Failure) {
            let kind = try peek()
            index += 1
            switch kind {
            case UInt8(ascii: "n"): text.append(0x0A)
            case UInt8(ascii: "t"): text.append(0x09)
            case UInt8(ascii: "r"): text.append(0x0D)
            case UInt8(ascii: "b"): text.append(0x08)
            case UInt8(ascii: "f"): text.append(0x0C)
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(kind)
            case UInt8(ascii: "u"): text += String(try scalar()).utf8
            default: throw .malformed("this is not an escape", at: index - 1)
            }
        }

        /// Returns the scalar of one or two UTF-16 code units. An unpaired surrogate becomes U+FFFD.
        private mutating func scalar() throws(Failure) -> Character {
            let first = try codeUnit()
            guard UTF16.isLeadSurrogate(first) else { return Character(Unicode.Scalar(first) ?? "\u{FFFD}") }
            guard index + 1 < bytes.count, bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u")
            else { return "\u{FFFD}" }
            let back = index
            index += 2
            let second = try codeUnit()
            guard UTF16.isTrailSurrogate(second) else {
                index = back
                return "\u{FFFD}"
            }
            return Character(UTF16.decode(UTF16.EncodedScalar([first, second])))
        }

        private mutating func codeUnit() throws(Failure) -> UInt16 {
            guard index + 4 <= bytes.count else { throw .end }
            guard let unit = UInt16(String(decoding: bytes[index..<index + 4], as: UTF8.self), radix: 16) else {
                throw .malformed("this is not the code of a character", at: index)
            }
            index += 4
            return unit
        }

        // MARK: Bytes

        private func peek() throws(Failure) -> UInt8 {
            guard index < bytes.count else { throw .end }
            return bytes[index]
        }

        private mutating func take(_ byte: UInt8) throws(Failure) -> Bool {
            guard try peek() == byte else { return false }
            index += 1
            return true
        }

        private mutating func require(_ byte: UInt8, _ what: String) throws(Failure) {
            guard try take(byte) else { throw .malformed("\(what) was expected", at: index) }
        }

        private mutating func skipBlanks() {
            while index < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[index]) { index += 1 }
        }
    }
}
