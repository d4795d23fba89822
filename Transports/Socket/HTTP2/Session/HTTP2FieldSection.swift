internal import AirframeTransport
internal import HTTPTypes

/// A field section that is being decoded: a response head, an informational response, or trailers (RFC 9113 §8.2).
///
/// Fields after a fault are skipped, but still decoded, because the connection shares one compression state (RFC 9113
/// §4.3).
struct HTTP2FieldSection {
    private(set) var status: Int?
    private(set) var fields = HTTPFields()
    private(set) var hasPseudoField = false
    /// The value of `content-length`.
    private(set) var contentLength: Int64?
    /// The first rule or limit that the section violates.
    private(set) var fault: HTTP2Failure?
    /// The compressed size, including the frame headers.
    private(set) var compressedSize = 0
    private var decodedSize = 0
    private var hasRegularField = false
    /// The head of a response, once the section is complete.
    private(set) var head: SharedResponseHead?

    /// Counts a frame of the section.
    mutating func addFrame(ofLength length: Int) { compressedSize += length + 9 }

    /// Adds the next field.
    mutating func add(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>, _ limits: HTTP2Limits) {
        guard fault == nil else { return }
        // RFC 9113 §6.5.2: the size of a field includes an overhead of 32 bytes.
        decodedSize += name.count + value.count + 32
        guard decodedSize <= limits.fieldSection else {
            return blame(.tooLarge("the field section has more than \(limits.fieldSection) bytes"))
        }
        guard name.first != UInt8(ascii: ":") else { return addPseudoField(name, value) }
        hasRegularField = true
        guard fields.count < limits.fieldCount else {
            return blame(.tooLarge("the field section has more than \(limits.fieldCount) fields"))
        }
        addField(name, value)
    }

    // MARK: Remembered heads

    /// Restores the first fields of a remembered head.
    ///
    /// - Parameters:
    ///   - count: The number of fields, with `:status`, at least 1.
    ///   - size: The number of bytes of their names and values.
    mutating func restore(_ head: HTTP2HeadMemory.Meaning, count: Int, size: Int) {
        status = head.response.status.code
        hasPseudoField = true
        hasRegularField = count > 1
        decodedSize = size + 32 * count
        for field in head.response.headerFields.prefix(count - 1) {
            fields.append(field)
            if field.name == .contentLength { contentLength = head.contentLength }
        }
    }

    /// Creates the head of a section that was parsed, if it has a status.
    mutating func finish() {
        guard fault == nil, let status else { return }
        head = SharedResponseHead(
            HTTPResponse(status: .init(code: status), headerFields: fields), statusCode: status)
    }

    private mutating func blame(_ failure: HTTP2Failure) { fault = fault ?? failure }

    // MARK: Pseudo-header fields

    private static let statusName: [UInt8] = Array(":status".utf8)

    private mutating func addPseudoField(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) {
        hasPseudoField = true
        guard name.count == 7, name.elementsEqual(Self.statusName) else {
            let text = Self.text(name)
            return blame(.violation("a response has the pseudo-header field \(text)", "RFC 9113 §8.3.2"))
        }
        guard !hasRegularField else {
            return blame(.violation("the field :status follows other fields", "RFC 9113 §8.3"))
        }
        guard status == nil else { return blame(.violation("there are two fields :status", "RFC 9113 §8.3.2")) }
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard value.count == 3, value.allSatisfy(digits.contains), value[0] > digits.lowerBound else {
            let text = Self.text(value)
            return blame(.violation("the status code \(text) is not a number of three digits", "RFC 9113 §8.3.2"))
        }
        status = value.reduce(0) { 10 * $0 + Int($1 - digits.lowerBound) }
    }

    // MARK: Fields

    private mutating func addField(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) {
        // All names with a role are in the table.
        let known = HTTP2FieldNames.shared.find(name)
        guard let fieldName = known?.name ?? Self.makeName(name) else {
            let text = Self.text(name)
            return blame(.violation("the field name \(text) is not a token in lower case", "RFC 9113 §8.2.1"))
        }
        guard Self.isValid(value) else {
            let text = Self.text(name)
            let rule = "RFC 9113 §8.2.1"
            return blame(.violation("the value of the field \(text) has a forbidden byte or outer whitespace", rule))
        }
        switch known?.role {
        case .connectionSpecific:
            return blame(.violation("a response has the connection-specific field \(fieldName)", "RFC 9113 §8.2.2"))
        case .contentLength: addLength(value)
        case .none?, nil: break
        }
        fields.append(Self.field(fieldName, value))
    }

    private mutating func addLength(_ value: UnsafeBufferPointer<UInt8>) {
        var length: Int64 = 0
        var hasDigit = false
        var lengths: Set<Int64> = []
        for byte in value {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                let (product, overflow) = length.multipliedReportingOverflow(by: 10)
                let (sum, carry) = product.addingReportingOverflow(Int64(byte - 48))
                guard !overflow, !carry else { return blameLength(value) }
                length = sum
                hasDigit = true
            case UInt8(ascii: ","):
                // RFC 9110 §8.6: a list of identical values may be treated as one value.
                guard hasDigit else { return blameLength(value) }
                lengths.insert(length)
                (length, hasDigit) = (0, false)
            case UInt8(ascii: " ") where !hasDigit: break
            default: return blameLength(value)
            }
        }
        guard hasDigit, lengths.isEmpty || lengths == [length] else { return blameLength(value) }
        guard contentLength == nil || contentLength == length else {
            return blame(.violation("there are several values of content-length", "RFC 9113 §8.1.1"))
        }
        contentLength = length
    }

    private mutating func blameLength(_ value: UnsafeBufferPointer<UInt8>) {
        let text = Self.text(value)
        blame(.violation("content-length \(text) is not a length", "RFC 9110 §8.6"))
    }

    /// Returns a name or value of the server's for a message: at most 64 bytes, escaped.
    private static func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        String(decoding: bytes.prefix(64), as: UTF8.self).debugDescription
    }

    private static func makeName(_ bytes: UnsafeBufferPointer<UInt8>) -> HTTPField.Name? {
        guard !bytes.contains(where: { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) || $0 >= 0x80 }) else {
            return nil
        }
        return HTTPField.Name(String(decoding: bytes, as: UTF8.self))
    }

    /// Returns a field with this value, which need not be UTF-8 (RFC 9110 §5.5).
    static func field(_ name: HTTPField.Name, _ value: UnsafeBufferPointer<UInt8>) -> HTTPField {
        // Without an early exit, so that the compiler vectorizes the loop.
        let isASCII = value.reduce(UInt8(0)) { $0 | $1 } < 0x80
        return isASCII
            ? HTTPField(name: name, value: String(decoding: value, as: UTF8.self)) : HTTPField(name: name, value: value)
    }

    /// Returns whether a value has no NUL, CR or LF, and no whitespace at its start or end (RFC 9113 §8.2.1).
    static func isValid(_ value: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = value.first, let last = value.last else { return true }
        guard first != 0x20, first != 0x09, last != 0x20, last != 0x09 else { return false }
        return !value.contains { $0 == 0 || $0 == 0x0A || $0 == 0x0D }
    }
}
