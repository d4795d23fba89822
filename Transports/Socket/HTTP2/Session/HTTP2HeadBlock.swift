/// What a compressed field section does to the dynamic table (RFC 7541 §6). Its strings are not decoded.
struct HTTP2HeadBlock: Equatable {
    /// The number of fields that it inserts into the table.
    private(set) var insertionCount = 0
    /// Whether its fields depend on the table.
    private(set) var usesTable = false

    /// The number of entries in the static table (RFC 7541 appendix A).
    private static let staticCount = 61

    /// Examines a section.
    ///
    /// - Returns: `nil` if it is malformed, or changes the size of the table.
    init?(_ block: UnsafeRawBufferPointer) {
        var offset = 0
        while offset < block.count {
            let byte = block[offset]
            // A size update evicts fields (RFC 7541 §6.3).
            guard byte & 0xE0 != 0x20 else { return nil }
            let isIndexed = byte & 0x80 != 0
            let isInserted = byte & 0xC0 == 0x40
            guard let index = Self.integer(isIndexed ? 7 : isInserted ? 6 : 4, in: block, from: &offset) else {
                return nil
            }
            if index > Self.staticCount { usesTable = true }
            if isInserted { insertionCount += 1 }
            guard !isIndexed else { continue }
            guard index > 0 || Self.skipString(in: block, from: &offset), Self.skipString(in: block, from: &offset)
            else { return nil }
        }
    }

    /// The number of times after which repeating the section leaves the table as it is: its fields then fill the
    /// 4,096 bytes that SETTINGS_HEADER_TABLE_SIZE allows. A field takes 32 bytes or more (RFC 7541 §4.1).
    var repetitionLimit: Int { insertionCount == 0 ? 0 : 4096 / (32 * insertionCount) + 1 }

    private static func skipString(in block: UnsafeRawBufferPointer, from offset: inout Int) -> Bool {
        guard let length = integer(7, in: block, from: &offset), length <= block.count - offset else { return false }
        offset += length
        return true
    }

    /// Decodes an integer whose first byte has a prefix of `bits` bits (RFC 7541 §5.1), and moves `offset` past it.
    ///
    /// - Returns: `nil` if the block ends before it, or it is above 2^28, as no valid integer is.
    private static func integer(_ bits: Int, in block: UnsafeRawBufferPointer, from offset: inout Int) -> Int? {
        guard offset < block.count else { return nil }
        let most = 1 << bits - 1
        var value = Int(block[offset]) & most
        offset += 1
        guard value == most else { return value }
        for shift in stride(from: 0, to: 28, by: 7) {
            guard offset < block.count else { return nil }
            let byte = Int(block[offset])
            offset += 1
            value += (byte & 0x7F) << shift
            guard byte & 0x80 != 0 else { return value }
        }
        return nil
    }
}
