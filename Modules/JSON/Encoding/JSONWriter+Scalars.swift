internal import FoundationEssentials

extension JSONWriter {
    /// Writes a value that needs no frame, if the text expects a value; `false` for all others.
    func writeScalar<Value: Encodable>(_ value: Value) throws -> Bool {
        if isStructure(Value.self) { return false }
        // Types are compared before the cast: ten objects of five members take 90,000 instructions, and 184,000 if each
        // type is tried by a cast.
        if Value.self == String.self, let value = value as? String {
            write(value)
        } else if Value.self == Int.self, let value = value as? Int {
            write(value)
        } else if Value.self == Double.self, let value = value as? Double {
            try write(value)
        } else if Value.self == Bool.self, let value = value as? Bool {
            write(value)
        } else if Value.self == Date.self, let value = value as? Date {
            return try writeDate(value)
        } else if Value.self == Data.self, let value = value as? Data {
            return writeData(value)
        } else if Value.self == URL.self, let value = value as? URL {
            write(value.absoluteString)
        } else if Value.self == Decimal.self, let value = value as? Decimal {
            writeNumber(value.description)
        } else if Value.self == [String].self, let value = value as? [String] {
            writeElements(value) { write($0) }
        } else if Value.self == [Int].self, let value = value as? [Int] {
            writeElements(value) { write($0) }
        } else if Value.self == [Double].self, let value = value as? [Double] {
            try writeElements(value) { try write($0) }
        } else {
            return try writeNumber(value)
        }
        return true
    }

    /// Writes a number of the types that are rare in JSON; `false` for all other values.
    private func writeNumber<Value: Encodable>(_ value: Value) throws -> Bool {
        if Value.self == Float.self, let value = value as? Float {
            try write(value)
        } else if Value.self == Int8.self, let value = value as? Int8 {
            write(value)
        } else if Value.self == Int16.self, let value = value as? Int16 {
            write(value)
        } else if Value.self == Int32.self, let value = value as? Int32 {
            write(value)
        } else if Value.self == Int64.self, let value = value as? Int64 {
            write(value)
        } else if Value.self == UInt.self, let value = value as? UInt {
            write(value)
        } else if Value.self == UInt8.self, let value = value as? UInt8 {
            write(value)
        } else if Value.self == UInt16.self, let value = value as? UInt16 {
            write(value)
        } else if Value.self == UInt32.self, let value = value as? UInt32 {
            write(value)
        } else if Value.self == UInt64.self, let value = value as? UInt64 {
            write(value)
        } else {
            noteStructure(Value.self)
            return false
        }
        return true
    }

    private func writeDate(_ date: Date) throws -> Bool {
        switch options.dateEncodingStrategy {
        case .deferredToDate: try write(date.timeIntervalSinceReferenceDate)
        case .secondsSince1970: try write(date.timeIntervalSince1970)
        case .millisecondsSince1970: try write(1000 * date.timeIntervalSince1970)
        case .iso8601: write(date.formatted(.iso8601))
        // On Linux, `formatted` is a custom strategy too.
        case .custom: return false
        @unknown default: throw refusal(of: date)
        }
        return true
    }

    private func writeData(_ data: Data) -> Bool {
        guard case .base64 = options.dataEncodingStrategy else { return false }
        write(data.base64EncodedString())
        return true
    }
}

/// A dictionary whose keys are data: no strategy converts them.
protocol StringKeyedEncodable {}

extension Dictionary: StringKeyedEncodable where Key == String, Value: Encodable {}
