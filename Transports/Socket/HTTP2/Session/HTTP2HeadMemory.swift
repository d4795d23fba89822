internal import AirframeTransport
internal import Glibc
internal import HTTPTypes

/// The fields of the last response head on a connection, and their parsed form.
///
/// Each decoded field of a new head is compared with the remembered field in the same place. A head with the same
/// fields has the same meaning; if values differ, only these are parsed. A head with a secret is never remembered.
/// `Docs/Decisions/0122-http2-heads-are-remembered.md` has the counts.
///
/// A head with the same compressed bytes is not even decoded
/// (`Docs/Decisions/0129-http2-blocks-are-remembered.md`).
struct HTTP2HeadMemory: Sendable {
    /// The parsed form of a head.
    struct Meaning: Sendable {
        var response: HTTPResponse
        var contentLength: Int64?
        /// The head of all responses with these values. Allocating one for each took 500 instructions.
        var shared: SharedResponseHead?

        /// Returns the head, which the next responses with the same values share.
        mutating func share() -> SharedResponseHead {
            if let shared { return shared }
            let head = SharedResponseHead(response)
            shared = head
            return head
        }
    }

    /// How the present section is related to the memory.
    private enum Mode {
        /// The section is neither compared nor remembered: an informational response, trailers, a head with a secret.
        case off
        /// All fields before `index` equal the remembered ones, whose bytes end at `offset`.
        case recalling(index: Int, offset: Int)
        /// The fields are being remembered.
        case recording
    }

    /// The maximum number of bytes, which bounds the memory of an idle connection.
    private static let capacity = 2 << 10

    private let limits: HTTP2Limits
    /// Names and values, concatenated. The first field is `:status`.
    private var bytes: [UInt8] = []
    /// The end of each name and of each value in `bytes`.
    private var ends: [Int] = []
    private var meaning: Meaning?
    private var mode = Mode.off
    /// The compressed form of the head. Empty if it is not known, or if its meaning depends on another state of the
    /// dynamic table.
    private(set) var block: [UInt8] = []
    /// Whether the meaning of the block depends on the dynamic table.
    private var usesTable = false
    /// The number of times after which repeating the block leaves the dynamic table as it is.
    private var repetitionLimit = 0
    /// The number of times that libnghttp2 must decode the block to have the server's dynamic table.
    private(set) var owedCount = 0
    /// Whether the last section was the remembered head.
    private var isOfLastSection = false

    init(_ limits: HTTP2Limits) { self.limits = limits }

    // MARK: A section

    /// Starts a section.
    mutating func begin() {
        isOfLastSection = false
        if meaning == nil {
            clear()
            mode = .recording
        } else {
            mode = .recalling(index: 0, offset: 0)
        }
    }

    /// Starts a section that ``matches(_:)``: all of its fields are remembered.
    mutating func beginMatch() {
        mode = .recalling(index: ends.count / 2, offset: bytes.count)
        owedCount = min(owedCount + 1, repetitionLimit)
    }

    /// Whether all fields of the section so far equal the remembered ones.
    var isRecalling: Bool {
        if case .recalling = mode { true } else { false }
    }

    /// Compares the next field, and updates the memory if only its value differs.
    ///
    /// - Returns: Whether the field is part of the recalled head. If not, call ``stopRecalling(_:)``.
    mutating func recall(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) -> Bool {
        guard case .recalling(let index, let start) = mode, 2 * index < ends.count else { return false }
        let (middle, end) = (ends[2 * index], ends[2 * index + 1])
        guard equals(start..<middle, name) else { return false }
        if !equals(middle..<end, value) {
            guard index > 0, revise(index, value) else { return false }
        }
        mode = .recalling(index: index + 1, offset: ends[2 * index + 1])
        return true
    }

    /// Restores the fields of the section so far, which differs from the remembered head, and forgets the others.
    mutating func stopRecalling(_ section: inout HTTP2FieldSection) {
        guard case .recalling(let index, let offset) = mode, let meaning else { return }
        guard index > 0 else {
            // Whether this section is remembered depends on its first field.
            mode = .recording
            return
        }
        section.restore(meaning, count: index, size: offset)
        bytes.removeSubrange(offset...)
        ends.removeSubrange((2 * index)...)
        self.meaning = nil
        forgetBlock()
        mode = .recording
    }

    /// Returns the shared head and the declared length, if all fields of the section and no others are remembered.
    mutating func takeRecalled() -> (head: SharedResponseHead, contentLength: Int64?)? {
        guard case .recalling(let index, _) = mode, 2 * index == ends.count, let head = meaning?.share() else {
            return nil
        }
        isOfLastSection = true
        return (head, meaning?.contentLength)
    }

    /// Remembers a field that was parsed.
    mutating func record(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) {
        guard case .recording = mode else { return }
        if meaning != nil || ends.isEmpty {
            // An informational response or trailers: the next head may equal the last one.
            guard name.first == UInt8(ascii: ":"), value.first != UInt8(ascii: "1") else {
                mode = .off
                return
            }
            clear()
        }
        guard bytes.count + name.count + value.count <= Self.capacity else {
            clear()
            mode = .off
            return
        }
        bytes.append(contentsOf: name)
        ends.append(bytes.count)
        bytes.append(contentsOf: value)
        ends.append(bytes.count)
    }

    /// Remembers the meaning of a final response head whose fields were recorded.
    mutating func keep(_ meaning: Meaning) {
        let fields = meaning.response.headerFields
        guard case .recording = mode, 2 * (fields.count + 1) == ends.count else { return }
        mode = .off
        let lengths = fields.count { $0.name == .contentLength }
        let hasSecret = fields.contains { RedactionPolicy.standard.isSecret(field: $0.name) }
        guard lengths <= 1, !hasSecret else { return clear() }
        self.meaning = meaning
        isOfLastSection = true
    }

    private mutating func clear() {
        bytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        meaning = nil
        forgetBlock()
    }

    // MARK: The compressed form

    /// Whether a section with these compressed bytes is the remembered head.
    func matches(_ other: UnsafeRawBufferPointer) -> Bool {
        guard !block.isEmpty, block.count == other.count, let start = other.baseAddress else { return false }
        return block.withUnsafeBytes { $0.baseAddress.map { memcmp($0, start, other.count) } == 0 }
    }

    /// Remembers the compressed bytes of the section that has been decoded, if it is the remembered head and other
    /// heads with these bytes have the same fields.
    ///
    /// - Parameter mayOwe: Whether libnghttp2 can decode the block later. nginx has each field inserted into the
    ///   dynamic table, and never uses it.
    mutating func keep(_ other: UnsafeRawBufferPointer, mayOwe: Bool) {
        guard let effect = HTTP2HeadBlock(other) else { return forgetBlock() }
        if effect.insertionCount > 0, !block.isEmpty, usesTable { forgetBlock() }
        guard isOfLastSection, other.count <= Self.capacity else { return }
        guard effect.insertionCount == 0 || mayOwe && !effect.usesTable else { return forgetBlock() }
        block.removeAll(keepingCapacity: true)
        block.append(contentsOf: other)
        usesTable = effect.usesTable
        repetitionLimit = effect.repetitionLimit
    }

    /// Records that libnghttp2 has decoded all that it was owed.
    mutating func settle() { owedCount = 0 }

    /// Forgets the compressed bytes: the meaning or the dynamic table has changed, or may have.
    mutating func forgetBlock() { block.removeAll(keepingCapacity: true) }

    // MARK: A field

    private func equals(_ range: Range<Int>, _ other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard range.count == other.count else { return false }
        return bytes.withUnsafeBufferPointer { bytes in
            guard let own = bytes.baseAddress, let other = other.baseAddress else { return range.isEmpty }
            return memcmp(own + range.lowerBound, other, range.count) == 0
        }
    }

    /// Replaces the value of a field. Returns `false` if the field must be parsed with its rules.
    private mutating func revise(_ index: Int, _ value: UnsafeBufferPointer<UInt8>) -> Bool {
        let range = ends[2 * index]..<ends[2 * index + 1]
        let growth = value.count - range.count
        let size = bytes.count + growth
        guard size <= Self.capacity, size + 16 * ends.count <= limits.fieldSection, HTTP2FieldSection.isValid(value),
            let name = meaning?.response.headerFields[index - 1].name
        else { return false }
        if name == .contentLength {
            guard let length = Self.length(value) else { return false }
            meaning?.contentLength = length
        }
        // Changes the fields in place if the earlier response has been released.
        forgetBlock()
        meaning?.shared = nil
        meaning?.response.headerFields[index - 1] = HTTP2FieldSection.field(name, value)
        bytes.replaceSubrange(range, with: value)
        if growth != 0 {
            for later in (2 * index + 1)..<ends.count { ends[later] += growth }
        }
        return true
    }

    /// Returns the value of `content-length`, if it is a number and not a list.
    private static func length(_ value: UnsafeBufferPointer<UInt8>) -> Int64? {
        guard !value.isEmpty, value.count <= 18 else { return nil }
        var length: Int64 = 0
        for byte in value {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            length = 10 * length + Int64(byte - UInt8(ascii: "0"))
        }
        return length
    }
}
