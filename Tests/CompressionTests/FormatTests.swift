import AirframeCompression
import Testing

@Suite("The formats", .timeLimit(.minutes(5)))
struct FormatTests {
    private static let hello = Array("hello".utf8)
    /// `hello` as raw DEFLATE, and the trailer of its gzip member.
    private static let raw: [UInt8] = [0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]
    private static let trailer: [UInt8] = [0x86, 0xA6, 0x10, 0x36, 0x05, 0x00, 0x00, 0x00]

    private static func member(flags: UInt8, fields: [UInt8] = []) -> [UInt8] {
        [0x1F, 0x8B, 8, flags, 0, 0, 0, 0, 0, 255] + fields + raw + trailer
    }

    @Test(
        "gzip headers may have extra fields, a name, a comment and a checksum (RFC 1952 §2.3)",
        arguments: [
            (UInt8(0), []), (1, []), (4, [3, 0, 9, 9, 9]), (8, Array("name\0".utf8)), (16, Array("comment\0".utf8)),
            (4 + 8 + 16, [1, 0, 7] + Array("name\0comment\0".utf8)),
        ] as [(UInt8, [UInt8])]
    )
    func gzipHeaders(flags: UInt8, fields: [UInt8]) {
        #expect(decode(Self.member(flags: flags, fields: fields), as: .gzip).bytes == Self.hello)
    }

    @Test("the checksum of a gzip header is checked (RFC 1952 §2.3.1)")
    func gzipHeaderChecksum() {
        #expect(decode(Self.member(flags: 2, fields: [0, 0]), as: .gzip).reason == .corrupt)
        let header: [UInt8] = [0x1F, 0x8B, 8, 2, 0, 0, 0, 0, 0, 255]
        let sum = Self.crc32(header)
        let fields = [UInt8(truncatingIfNeeded: sum), UInt8(truncatingIfNeeded: sum >> 8)]
        #expect(decode(Self.member(flags: 2, fields: fields), as: .gzip).bytes == Self.hello)
    }

    @Test("reserved flags and other methods of gzip are rejected", arguments: [(UInt8(0x20), UInt8(8)), (0, 7)])
    func gzipReserved(flags: UInt8, method: UInt8) {
        var member = Self.member(flags: flags)
        member[2] = method
        #expect(decode(member, as: .gzip).reason == .corrupt)
    }

    @Test("a gzip member whose checksum or length is wrong is corrupt", arguments: 17..<25)
    func gzipTrailer(index: Int) {
        var member = Self.member(flags: 0)
        member[index] ^= 1
        #expect(decode(member, as: .gzip).reason == .corrupt)
    }

    @Test("concatenated gzip members, also empty ones, are decoded (RFC 1952 §2.2)")
    func gzipMembers() throws {
        let empty = try encode([], as: .gzip)
        let coded = Self.member(flags: 0) + empty + Self.member(flags: 8, fields: [65, 0])
        #expect(decode(coded, as: .gzip).bytes == Self.hello + Self.hello)
        #expect(decode(coded, as: [.gzip], cutAt: Array(0...coded.count)).bytes == Self.hello + Self.hello)
    }

    @Test("a truncated second gzip member is an error")
    func gzipSecondMemberTruncated() {
        let member = Self.member(flags: 0)
        #expect(decode(member + member.dropLast(), as: .gzip).reason == .truncated)
    }

    @Test("deflate is decoded in the zlib format and raw, as servers send both (RFC 9110 §8.4.1.2)")
    func deflateForms() {
        let zlib: [UInt8] = [0x78, 0x9C] + Self.raw + [0x06, 0x2C, 0x02, 0x15]
        #expect(decode(zlib, as: .deflate).bytes == Self.hello)
        #expect(decode(Self.raw, as: .deflate).bytes == Self.hello)
        #expect(decode(Self.raw, as: [.deflate], cutAt: Array(0...Self.raw.count)).bytes == Self.hello)
        #expect(decode([0x03, 0x00], as: .deflate).bytes == [])
    }

    @Test("deflate is encoded in the zlib format (RFC 1950)")
    func deflateMade() throws {
        let coded = try encode(Self.hello, as: .deflate)
        #expect(coded[0] == 0x78 && (Int(coded[0]) << 8 | Int(coded[1])) % 31 == 0)
    }

    @Test("the checksum of the zlib format is checked")
    func deflateChecksum() {
        let zlib: [UInt8] = [0x78, 0x9C] + Self.raw + [0x06, 0x2C, 0x02, 0x16]
        #expect(decode(zlib, as: .deflate).reason == .corrupt)
    }

    @Test("concatenated Zstandard frames are decoded, and skippable frames are skipped (RFC 8878 §3.1)")
    func zstdFrames() throws {
        let frame = try encode(Self.hello, as: .zstd)
        let skipped: [UInt8] = [0x53, 0x2A, 0x4D, 0x18, 4, 0, 0, 0, 1, 2, 3, 4]
        for coded in [frame + frame, skipped + frame + skipped + frame, frame + skipped + frame] {
            #expect(decode(coded, as: .zstd).bytes == Self.hello + Self.hello)
            #expect(decode(coded, as: [.zstd], cutAt: Array(0...coded.count)).bytes == Self.hello + Self.hello)
        }
    }

    @Test("the checksum of a Zstandard frame is checked")
    func zstdChecksum() throws {
        var frame = try encode(Self.hello, as: .zstd)
        frame[frame.count - 1] ^= 1
        #expect(decode(frame, as: .zstd).reason == .corrupt)
    }

    @Test("a window above 8 MiB is rejected with the limit (RFC 9659)")
    func zstdWindow() {
        // Magic, no content size, window descriptor with exponent 17 (128 MiB), an empty last block.
        let frame: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x00, 17 << 3, 0x01, 0x00, 0x00]
        #expect(decode(frame, as: .zstd).reason == .windowTooLarge(limit: 8 << 20))
        var wide = DecodingLimits()
        wide.maximumWindowLog = 27
        #expect(decode(frame, as: .zstd, limits: wide).bytes == [])
    }

    @Test("a limit on the window that is set outside of 10…27 is clamped, and applied", arguments: [9, 0, -1])
    func zstdWindowLimit(log: Int) {
        let frame: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x00, 17 << 3, 0x01, 0x00, 0x00]
        var limits = DecodingLimits()
        limits.maximumWindowLog = log
        #expect(limits.maximumWindowLog == 10)
        #expect(decode(frame, as: .zstd, limits: limits).reason == .windowTooLarge(limit: 1 << 10))
        limits.maximumWindowLog = 99
        #expect(limits.maximumWindowLog == 27)
    }

    @Test("content in another coding is reported as corrupt", arguments: ContentCoding.allCases)
    func wrongCoding(coding: ContentCoding) {
        let page = Array("<html><body>not coded at all</body></html>".utf8)
        let reason = decode(page, as: coding).reason
        #expect(reason == .corrupt || reason == .truncated)
        if coding != .brotli { #expect(reason == .corrupt) }
    }

    @Test("names are case-insensitive, x-gzip is gzip, and other names are unknown (RFC 9110 §8.4.1)")
    func names() {
        #expect(ContentCoding(name: "GZip") == .gzip)
        #expect(ContentCoding(name: "x-gzip") == .gzip)
        #expect(ContentCoding(name: "BR") == .brotli)
        #expect(ContentCoding(name: "compress") == nil)
        #expect(ContentCoding(name: "identity") == nil)
    }

    private static func crc32(_ bytes: [UInt8]) -> UInt32 {
        var crc = UInt32.max
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
        }
        return ~crc
    }
}
