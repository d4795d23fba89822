internal import AirframeTransport
internal import CNGHTTP2

/// Compresses the field sections of requests (RFC 7541), in the order in which they are sent.
///
/// libnghttp2's session is given requests without fields: it would copy all names and values, and compress each section
/// anew. `Docs/Decisions/0129-http2-blocks-are-remembered.md` has the counts.
struct HTTP2FieldCompressor: ~Copyable {
    private let handle: OpaquePointer
    /// The size of the dynamic table.
    private var tableSize = Self.largestTable
    /// The last section without secrets that left the dynamic table as it was.
    private var last: HTTP2RequestSection?

    /// - Returns: `nil` if libnghttp2 is out of memory.
    init?() {
        var handle: OpaquePointer?
        guard nghttp2_hd_deflate_new(&handle, Int(Self.largestTable)) == 0, let handle else { return nil }
        self.handle = handle
    }

    deinit { nghttp2_hd_deflate_del(handle) }

    /// The largest dynamic table, as in libnghttp2's sessions, and the first (RFC 9113 §6.5.2).
    private static let largestTable: UInt32 = 4096
    /// The maximum size of a remembered section as RFC 9113 §6.5.2 counts it, which bounds the memory of an idle
    /// connection.
    private static let capacity = 4 << 10
    /// The largest frame that every server accepts (RFC 9113 §4.2).
    private static let frameSize = 16 << 10

    /// Applies the server's SETTINGS_HEADER_TABLE_SIZE. The next section announces the change (RFC 7541 §4.2).
    mutating func setTableSize(_ size: UInt32) {
        let size = min(size, Self.largestTable)
        guard size != tableSize else { return }
        tableSize = size
        last = nil
        nghttp2_hd_deflate_change_table_size(handle, Int(size))
    }

    /// Returns the remembered section, if it was made from `head`.
    func recall(_ head: SharedRequestHead) -> HTTP2RequestSection? {
        guard let last, last.head === head else { return nil }
        return last
    }

    /// Appends the frames of a section.
    ///
    /// - Parameter head: The header of the HEADERS frame, of which all but the length is used.
    /// - Returns: `false` if libnghttp2 is out of memory.
    mutating func append(
        _ section: HTTP2RequestSection,
        _ head: UnsafeBufferPointer<UInt8>,
        to output: inout HTTP2Output
    ) -> Bool {
        if let last, last === section || last.fields == section.fields {
            Self.append(last.block, head, to: &output)
            return true
        }
        guard let block = compress(section.fields) else { return false }
        if block.withUnsafeBytes({ HTTP2HeadBlock($0)?.insertionCount }) != 0 {
            // The table or its size has changed.
            last = nil
        } else if !section.fields.hasSecret, section.fields.size <= Self.capacity {
            section.block = block
            last = section
        }
        Self.append(block, head, to: &output)
        return true
    }

    private func compress(_ fields: HTTP2RequestFields) -> [UInt8]? {
        fields.withFields { pointer, count -> [UInt8]? in
            var result = 0
            let bound = nghttp2_hd_deflate_bound(handle, pointer, count)
            let block = [UInt8](unsafeUninitializedCapacity: bound) { buffer, length in
                result = nghttp2_hd_deflate_hd(handle, buffer.baseAddress, bound, pointer, count)
                length = max(0, result)
            }
            return result < 0 ? nil : block
        }
    }

    /// Appends a block as a HEADERS frame, with CONTINUATION frames if it is large (RFC 9113 §4.3).
    private static func append(_ block: [UInt8], _ head: UnsafeBufferPointer<UInt8>, to output: inout HTTP2Output) {
        block.withUnsafeBufferPointer { block in
            var start = 0
            repeat {
                let end = min(block.count, start + frameSize)
                let length = end - start
                withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 9) { own in
                    _ = own.initialize(fromContentsOf: head[..<9])
                    for (index, shift) in [16, 8, 0].enumerated() { own[index] = UInt8(length >> shift & 0xFF) }
                    let endsSection = UInt8(NGHTTP2_FLAG_END_HEADERS.rawValue)
                    if start > 0 {
                        own[3] = UInt8(NGHTTP2_CONTINUATION.rawValue)
                        own[4] = 0
                    }
                    own[4] = end == block.count ? own[4] | endsSection : own[4] & ~endsSection
                    output.append(UnsafeBufferPointer(own))
                }
                output.append(UnsafeBufferPointer(rebasing: block[start..<end]))
                start = end
            } while start < block.count
        }
    }
}

/// The field section of a request, or of its trailers, that waits to be sent.
///
/// A class, because a stream and the compressor refer to it. `@unchecked Sendable`: it belongs to its
/// ``HTTP2Session``, whose owner guards it.
final class HTTP2RequestSection: @unchecked Sendable {
    let fields: HTTP2RequestFields
    let kind: HTTP2StreamState.Kind
    /// The head that the section was made from, if the section depends on nothing else.
    let head: SharedRequestHead?
    /// The compressed form. It belongs to the present dynamic table while the compressor remembers the section.
    @exclusivity(unchecked) fileprivate(set) var block: [UInt8] = []

    init(_ fields: HTTP2RequestFields, _ kind: HTTP2StreamState.Kind, of head: SharedRequestHead? = nil) {
        self.fields = fields
        self.kind = kind
        self.head = head
    }
}
