internal import CNetlink

extension RawSpan {
    /// The value at `offset`, which need not be aligned; `nil` when the span ends before it does.
    func value<Value: BitwiseCopyable>(at offset: Int, as type: Value.Type) -> Value? {
        guard offset >= 0, offset <= byteCount, MemoryLayout<Value>.size <= byteCount - offset else { return nil }
        return unsafeLoadUnaligned(fromByteOffset: offset, as: type)
    }

    /// The bytes as an array.
    var array: [UInt8] {
        withUnsafeBytes { Array($0) }
    }

    /// The text up to the first NUL, invalid UTF-8 replaced.
    var text: String {
        withUnsafeBytes { bytes in String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }
    }

    /// Hands each attribute from `offset` to the end to `body`: its type, without the flags for nesting and byte order,
    /// and its value.
    ///
    /// - Returns: Whether the attributes' lengths fit. Fewer bytes than a header at the end are padding.
    func forEachAttribute(from offset: Int, _ body: (Int32, RawSpan) -> Void) -> Bool {
        let headerSize = MemoryLayout<rtattr>.size
        var offset = offset
        while offset >= 0, offset < byteCount, byteCount - offset >= headerSize {
            guard let header = value(at: offset, as: rtattr.self) else { return false }
            let length = Int(header.rta_len)
            guard length >= headerSize, length <= byteCount - offset else { return false }
            body(Int32(header.rta_type & 0x3FFF), extracting(offset + headerSize..<offset + length))
            offset += (length + 3) & ~3
        }
        return true
    }
}
