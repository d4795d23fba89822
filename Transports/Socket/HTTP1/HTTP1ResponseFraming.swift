internal import AirframeWire
internal import HTTPTypes

/// The framing of a response's content, and whether its connection can be kept.
///
/// Where RFC 9112 §6 lets a recipient either repair or reject a message, this rejects it if two recipients could
/// disagree on where the message ends: such a disagreement makes response smuggling possible.
struct HTTP1ResponseFraming: Equatable {
    let framing: HTTP1Framing
    let closeReason: HTTP1CloseReason?
    /// Whether the fields were changed.
    let hasMovedFields: Bool

    /// - Parameter section: The fields. Repeated equal lengths are merged into one (RFC 9110 §8.6).
    init(
        _ statusLine: HTTP1StatusLine,
        _ section: inout HTTP1FieldSection,
        to kind: HTTP1RequestKind
    ) throws(HTTP1Violation) {
        let code = statusLine.status.code
        if code == 101 || (kind == .connect && (200..<300).contains(code)) {
            // RFC 9110 §9.3.6: both fields are ignored.
            framing = .tunnel
            closeReason = .tunnel
            hasMovedFields = false
            return
        }
        let length = try Self.contentLength(of: section)
        framing = try Self.framing(of: section, length: length, isEmpty: kind == .head || code == 204 || code == 304)
        closeReason =
            switch framing {
            case .untilClose: .untilClose
            case .chunked where statusLine.minorVersion == 0: .faultyFraming
            default: Self.closeReason(statusLine, section)
            }
        // Last, because merging moves the other fields.
        hasMovedFields = length?.isListed ?? false
        if let length, length.isListed { section.fields[.contentLength] = String(length.value) }
    }

    private static func framing(
        of section: HTTP1FieldSection,
        length: ContentLength?,
        isEmpty: Bool
    ) throws(HTTP1Violation) -> HTTP1Framing {
        guard !isEmpty else { return .none }
        guard section.transferEncoding == .absent else {
            do throws(FramingViolation) {
                try TransferCoding.requireChunked(section.fields[fields: .transferEncoding])
            } catch {
                throw .malformed(error.message)
            }
            guard length == nil else {
                throw .malformed("the response has both Transfer-Encoding and Content-Length")
            }
            return .chunked
        }
        guard let length else { return .untilClose }
        return length.value == 0 ? .none : .length(length.value)
    }

    // MARK: Content-Length

    private struct ContentLength {
        let value: Int64
        /// Whether the field is repeated, or is not a plain number.
        let isListed: Bool
    }

    private static func contentLength(of section: HTTP1FieldSection) throws(HTTP1Violation) -> ContentLength? {
        switch section.contentLength {
        case .absent:
            return nil
        case .once(let index):
            let field = section.fields[index]
            if let value = field.withUnsafeBytesOfValue(plainLength) {
                return ContentLength(value: value, isListed: false)
            }
            return ContentLength(value: try listedLength([field]), isListed: true)
        case .repeated:
            return ContentLength(value: try listedLength(section.fields[fields: .contentLength]), isListed: true)
        }
    }

    /// Returns the value of a plain decimal number; `nil` for any other form.
    private static func plainLength(_ bytes: UnsafeBufferPointer<UInt8>) -> Int64? {
        // 18 digits always fit into 64 bits.
        guard !bytes.isEmpty, bytes.count <= 18 else { return nil }
        var length: Int64 = 0
        for byte in bytes {
            guard byte.isDigit else { return nil }
            length = length * 10 + Int64(byte - 48)
        }
        return length
    }

    private static func listedLength(_ fields: [HTTPField]) throws(HTTP1Violation) -> Int64 {
        var common: Int64?
        for field in fields {
            for member in HTTP1List(field) {
                let length = try number(member)
                guard common == nil || common == length else {
                    throw .malformed("the response has two Content-Lengths, \(common ?? 0) and \(length)")
                }
                common = length
            }
        }
        guard let common else { throw .malformed("the Content-Length is empty") }
        return common
    }

    private static func number(_ member: [UInt8]) throws(HTTP1Violation) -> Int64 {
        var length: Int64 = 0
        guard !member.isEmpty else { throw .malformed("the Content-Length has an empty member") }
        for byte in member {
            guard byte.isDigit else {
                let text = member.span.bytes.quoted(0..<member.count)
                throw .malformed("the Content-Length \(text) is not a number of bytes")
            }
            let (shifted, overflow) = length.multipliedReportingOverflow(by: 10)
            let (sum, sumOverflow) = shifted.addingReportingOverflow(Int64(byte - 48))
            guard !overflow, !sumOverflow else {
                let text = member.span.bytes.quoted(0..<member.count)
                throw .malformed("the Content-Length \(text) is larger than 64 bits can hold")
            }
            length = sum
        }
        return length
    }

    // MARK: Connection

    /// Returns why the connection must be closed (RFC 9112 §9.3).
    private static func closeReason(
        _ statusLine: HTTP1StatusLine,
        _ section: HTTP1FieldSection
    ) -> HTTP1CloseReason? {
        var closes = false
        var keeps = false
        func examine(_ field: HTTPField) {
            // The usual values.
            switch field.value {
            case "keep-alive": keeps = true
            case "close": closes = true
            default: examineOptions(of: field)
            }
        }
        func examineOptions(of field: HTTPField) {
            for option in HTTP1List(field) {
                closes = closes || HTTP1List.isEqual("close")(option)
                keeps = keeps || HTTP1List.isEqual("keep-alive")(option)
            }
        }
        switch section.connection {
        case .absent: break
        case .once(let index):
            examine(section.fields[index])
        case .repeated: section.fields[fields: .connection].forEach(examine)
        }
        if closes { return .askedByServer }
        return statusLine.minorVersion == 0 && !keeps ? .oldVersion : nil
    }
}
