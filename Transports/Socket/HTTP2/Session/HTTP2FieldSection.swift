internal import AirframeTransport
internal import HTTPTypes

/// A field section that is being decoded: of a response's head, of an informational response, or of its trailers
/// (RFC 9113 §8.2).
///
/// Fields that come after a fault are skipped: the decoder has to see them all, because the compression state is the connection's
/// (RFC 9113 §4.3).
struct HTTP2FieldSection {
    private(set) var status: Int?
    private(set) var fields = HTTPFields()
    private(set) var hasPseudoField = false
    /// The length that `content-length` gives.
    private(set) var contentLength: Int64?
    /// Why the section is malformed or too large.
    private(set) var fault: HTTP2Failure?
    /// Its size in the compressed form, the head of its frames included.
    private(set) var compressedSize = 0
    private var decodedSize = 0
    private var hasRegularField = false

    /// Counts a frame that belongs to the section.
    mutating func addFrame(ofLength length: Int) { compressedSize += length + 9 }

    /// Takes the next field.
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

    private mutating func blame(_ failure: HTTP2Failure) { fault = fault ?? failure }

    // MARK: Pseudo-header fields

    private mutating func addPseudoField(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) {
        hasPseudoField = true
        guard name.elementsEqual(":status".utf8) else {
            let text = String(decoding: name, as: UTF8.self)
            return blame(.violation("a response has the pseudo-header field \(text)", "RFC 9113 §8.3.2"))
        }
        guard !hasRegularField else {
            return blame(.violation("the field :status follows other fields", "RFC 9113 §8.3"))
        }
        guard status == nil else { return blame(.violation("there are two fields :status", "RFC 9113 §8.3.2")) }
        let digits = value.map { Int($0) - 48 }
        guard digits.count == 3, digits.allSatisfy((0...9).contains), digits[0] > 0 else {
            let text = String(decoding: value.prefix(16), as: UTF8.self).debugDescription
            return blame(.violation("the status code \(text) is not a number of three digits", "RFC 9113 §8.3.2"))
        }
        status = digits[0] * 100 + digits[1] * 10 + digits[2]
    }

    // MARK: Fields

    private mutating func addField(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) {
        guard let fieldName = HTTP2FieldNames.shared.find(name) ?? Self.makeName(name) else {
            let text = String(decoding: name.prefix(64), as: UTF8.self).debugDescription
            return blame(.violation("the field name \(text) is not a token in lower case", "RFC 9113 §8.2.1"))
        }
        guard Self.isValid(value) else {
            let rule = "RFC 9113 §8.2.1"
            return blame(.violation("the value of the field \(fieldName) has a forbidden byte or outer blank", rule))
        }
        let text = String(decoding: value, as: UTF8.self)
        switch fieldName.canonicalName {
        case "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade", "te":
            return blame(.violation("a response has the connection-specific field \(fieldName)", "RFC 9113 §8.2.2"))
        case "content-length":
            addLength(value)
        default: break
        }
        fields.append(HTTPField(name: fieldName, value: text))
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
                // RFC 9110 §8.6: a list of identical values may be taken for one.
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
        let text = String(decoding: value.prefix(64), as: UTF8.self).debugDescription
        blame(.violation("content-length \(text) is not a length", "RFC 9110 §8.6"))
    }

    private static func makeName(_ bytes: UnsafeBufferPointer<UInt8>) -> HTTPField.Name? {
        guard !bytes.contains(where: { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) || $0 >= 0x80 }) else {
            return nil
        }
        return HTTPField.Name(String(decoding: bytes, as: UTF8.self))
    }

    /// RFC 9113 §8.2.1: no NUL, CR or LF, no blank at the start or the end.
    private static func isValid(_ value: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = value.first, let last = value.last else { return true }
        guard first != 0x20, first != 0x09, last != 0x20, last != 0x09 else { return false }
        return !value.contains { $0 == 0 || $0 == 0x0A || $0 == 0x0D }
    }
}
