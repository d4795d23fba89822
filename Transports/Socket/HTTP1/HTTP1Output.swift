internal import HTTPTypes

// Writes the parts of a head into one reserved region, which avoids growing a buffer with each part.

/// Why a head was not written.
enum HTTP1WriteFailure: Error {
    /// The head does not fit into the region.
    case outgrown
    /// The fields contain a `Host`, which must be written first.
    case hasHost(HTTPField)
    /// The head would be ambiguous or change its meaning in transit.
    case refused(HTTP1Violation)

    static func refused(_ message: String) -> HTTP1WriteFailure { .refused(.invalidRequest(message)) }
}

extension [UInt8] {
    /// Calls `write`, which may append up to `count` bytes. If it throws, nothing is appended.
    @inline(__always)
    mutating func append(
        upTo count: Int,
        _ write: (inout OutputSpan<UInt8>) throws(HTTP1WriteFailure) -> Void
    ) throws(HTTP1WriteFailure) {
        let start = self.count
        do throws(HTTP1WriteFailure) {
            try append(addingCapacity: count, initializingWith: write)
        } catch {
            removeSubrange(start...)
            throw error
        }
    }
}

extension OutputSpan<UInt8> {
    @inline(__always)
    mutating func append(bytes: UnsafeBufferPointer<UInt8>) throws(HTTP1WriteFailure) {
        guard bytes.count <= freeCapacity else { throw .outgrown }
        guard let source = bytes.baseAddress else { return }
        withUnsafeMutableBufferPointer { buffer, count in
            guard let start = buffer.baseAddress else { return }
            (start + count).initialize(from: source, count: bytes.count)
            count += bytes.count
        }
    }

    @inline(__always)
    mutating func append(_ text: StaticString) throws(HTTP1WriteFailure) {
        try append(bytes: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    @inline(__always)
    mutating func append(text: String) throws(HTTP1WriteFailure) {
        try text.utf8.span.withUnsafeBufferPointer { bytes throws(HTTP1WriteFailure) in try append(bytes: bytes) }
    }

    /// Appends a field and its end of line.
    @inline(__always)
    mutating func append(_ field: HTTPField) throws(HTTP1WriteFailure) {
        guard try append(name: field.name.rawName) else {
            throw .refused("the field name \(field.name.rawName.debugDescription) is not a token")
        }
        try append(": ")
        try append(valueOf: field)
        try append("\r\n")
    }

    /// Appends a method or a field name. Returns `false` if it is not a token (RFC 9110 §5.6.2).
    @inline(__always)
    mutating func append(name: String) throws(HTTP1WriteFailure) -> Bool {
        try name.utf8.span.withUnsafeBufferPointer { bytes throws(HTTP1WriteFailure) in
            try append(bytes: bytes)
            // HTTPTypes only creates tokens. This still checks for bytes that would end a name early, in a form that
            // the compiler vectorizes.
            var faults: UInt8 = bytes.isEmpty ? 1 : 0
            for byte in bytes { faults |= (byte <= 32 ? 1 : 0) | (byte >= 127 ? 1 : 0) | (byte == 58 ? 1 : 0) }
            return faults == 0
        }
    }

    /// Appends a field's value unchanged.
    ///
    /// - Throws: If the value contains CR, LF or NUL, which would end the field or the head (RFC 9110 §5.5).
    @inline(__always)
    mutating func append(valueOf field: HTTPField) throws(HTTP1WriteFailure) {
        let isClean = try field.withUnsafeBytesOfValue { bytes throws(HTTP1WriteFailure) in
            try append(bytes: bytes)
            var faults: UInt8 = 0
            for byte in bytes { faults |= (byte == 13 ? 1 : 0) | (byte == 10 ? 1 : 0) | (byte == 0 ? 1 : 0) }
            return faults == 0
        }
        guard isClean else { throw .refused("the value of the field \(field.name) holds CR, LF or NUL") }
    }
}
