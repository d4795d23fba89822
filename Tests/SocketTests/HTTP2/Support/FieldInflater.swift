import CNGHTTP2

/// Decodes field sections by libnghttp2 alone (RFC 7541), as the other side of a connection does.
final class FieldInflater {
    /// A decoded field.
    struct Field: Equatable {
        let name: String
        let value: String
        /// Whether the field was sent as never indexed (RFC 7541 §6.2.3).
        var isNeverIndexed = false
    }

    private let handle: OpaquePointer

    init() {
        var handle: OpaquePointer?
        guard nghttp2_hd_inflate_new(&handle) == 0, let handle else { fatalError("libnghttp2 is out of memory") }
        self.handle = handle
    }

    deinit { nghttp2_hd_inflate_del(handle) }

    /// Applies SETTINGS_HEADER_TABLE_SIZE once its acknowledgement has been received.
    func changeTableSize(to size: UInt32) { nghttp2_hd_inflate_change_table_size(handle, Int(size)) }

    /// Decodes a section.
    ///
    /// - Returns: `nil` if it is malformed. The table is then of no use.
    func decode(_ block: [UInt8]) -> [Field]? {
        var fields: [Field] = []
        let isWhole = block.withUnsafeBufferPointer { block in
            var start = 0
            while true {
                var field = nghttp2_nv()
                var flags: Int32 = 0
                let input = block.baseAddress.map { $0 + start }
                let count = nghttp2_hd_inflate_hd2(handle, &field, &flags, input, block.count - start, 1)
                guard count >= 0 else { return false }
                start += count
                if flags & Int32(NGHTTP2_HD_INFLATE_EMIT.rawValue) != 0 { fields.append(Self.field(field)) }
                if flags & Int32(NGHTTP2_HD_INFLATE_FINAL.rawValue) != 0 { return true }
                guard count > 0 || flags != 0 else { return false }
            }
        }
        nghttp2_hd_inflate_end_headers(handle)
        return isWhole ? fields : nil
    }

    /// The fields in the dynamic table, the newest first.
    var table: [Field] {
        let count = nghttp2_hd_inflate_get_num_table_entries(handle)
        return (62..<max(62, count + 1)).compactMap { index in
            nghttp2_hd_inflate_get_table_entry(handle, index).map { Self.field($0.pointee) }
        }
    }

    private static func field(_ field: nghttp2_nv) -> Field {
        func text(_ start: UnsafeMutablePointer<UInt8>?, _ count: Int) -> String {
            String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
        }
        return Field(
            name: text(field.name, field.namelen),
            value: text(field.value, field.valuelen),
            isNeverIndexed: Int(field.flags) & Int(NGHTTP2_NV_FLAG_NO_INDEX.rawValue) != 0
        )
    }
}

/// A repeatable source of random numbers (SplitMix64).
struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: Int) { state = UInt64(seed) }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns `true` in `percentage` of 100 calls.
    mutating func chance(_ percentage: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percentage }

    /// Returns one of `values`, which are not empty.
    mutating func pick<Value>(_ values: [Value]) -> Value { values[Int.random(in: values.indices, using: &self)] }
}
