import AirframeCompression
import AirframeTestSupport
import Foundation
import Testing

/// A program that encodes and decodes files.
struct ForeignCodec: Sendable, CustomTestStringConvertible {
    let name: String
    let coding: ContentCoding
    /// The arguments to encode the file `IN` to the file `OUT`.
    let encode: [String]
    /// The arguments to decode the file `IN` to the file `OUT`.
    let decode: [String]

    var testDescription: String { name }

    static let all = [
        python("gzip", .gzip, "gzip.compress(data)", "gzip.decompress(data)"),
        python(
            "gzip in two members", .gzip, "gzip.compress(data[:9]) + gzip.compress(data[9:])", "gzip.decompress(data)"),
        python("zlib", .deflate, "zlib.compress(data)", "zlib.decompress(data)"),
        python(
            "zlib, raw",
            .deflate,
            "(lambda c: c.compress(data) + c.flush())(zlib.compressobj(wbits=-15))",
            "zlib.decompress(data)"
        ),
        ForeignCodec(
            name: "brotli",
            coding: .brotli,
            encode: ["brotli", "-f", "IN", "-o", "OUT"],
            decode: ["brotli", "-d", "-f", "IN", "-o", "OUT"]
        ),
        ForeignCodec(
            name: "zstd",
            coding: .zstd,
            encode: ["zstd", "-q", "-f", "IN", "-o", "OUT"],
            decode: ["zstd", "-q", "-d", "-f", "IN", "-o", "OUT"]
        ),
    ]

    private static func python(
        _ name: String,
        _ coding: ContentCoding,
        _ encode: String,
        _ decode: String
    ) -> ForeignCodec {
        func words(_ expression: String) -> [String] {
            let program = """
                import gzip, sys, zlib
                data = open(sys.argv[1], 'rb').read()
                open(sys.argv[2], 'wb').write(\(expression))
                """
            return ["python3", "-c", program, "IN", "OUT"]
        }
        return ForeignCodec(name: "Python's \(name)", coding: coding, encode: words(encode), decode: words(decode))
    }

    /// Runs one direction on files in a temporary folder.
    func run(_ words: [String], on input: [UInt8]) async throws -> [UInt8] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("codec-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let source = folder.appendingPathComponent("in.zst")
        let target = folder.appendingPathComponent("out")
        try Data(input).write(to: source)
        let paths = ["IN": source.path, "OUT": target.path]
        let outcome = try await Command(words.map { paths[$0] ?? $0 }).run()
        try #require(outcome.status == 0, "\(words): \(outcome.output)")
        return Array(try Data(contentsOf: target))
    }
}

@Suite("Other programs' codecs", .timeLimit(.minutes(5)))
struct ForeignCodecTests {
    @Test("each side decodes the other's output", arguments: ForeignCodec.all)
    func exchange(codec: ForeignCodec) async throws {
        var random = SeededGenerator(9)
        for content in [[], random.text(400_000), random.bytes(70_000)] {
            let theirs = try await codec.run(codec.encode, on: content)
            #expect(decode(theirs, as: codec.coding).bytes == content)
            let ours = try encode(content, as: codec.coding)
            #expect(try await codec.run(codec.decode, on: ours) == content)
        }
    }
}
