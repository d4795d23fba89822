package import Foundation

/// The kind and size of an image, from its first bytes.
package struct ImageSummary: Hashable, Sendable {
    /// The format's name.
    package let format: String
    /// Columns.
    package let width: Int
    /// Rows.
    package let height: Int

    /// Reads the head of a PNG, GIF, JPEG, WebP or BMP image; `nil` for anything else.
    package init?(_ data: Data) {
        let bytes = [UInt8](data.prefix(1 << 16))
        let found = Self.png(bytes) ?? Self.gif(bytes) ?? Self.webP(bytes) ?? Self.bmp(bytes) ?? Self.jpeg(bytes)
        guard let (format, width, height) = found else { return nil }
        self.format = format
        self.width = width
        self.height = height
    }

    /// The image in words: `PNG image, 640 × 480 pixels, 12.3 kB`.
    package func text(byteCount: Int) -> String {
        "\(format) image, \(width) × \(height) pixels, \(Quantities.bytes(Int64(byteCount)))"
    }

    private typealias Finding = (String, Int, Int)

    private static func big(_ bytes: [UInt8], _ offset: Int, _ count: Int) -> Int {
        bytes[offset..<(offset + count)].reduce(0) { $0 << 8 | Int($1) }
    }

    private static func little(_ bytes: [UInt8], _ offset: Int, _ count: Int) -> Int {
        bytes[offset..<(offset + count)].reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    private static func png(_ bytes: [UInt8]) -> Finding? {
        guard bytes.count >= 24, bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) else {
            return nil
        }
        return ("PNG", big(bytes, 16, 4), big(bytes, 20, 4))
    }

    private static func gif(_ bytes: [UInt8]) -> Finding? {
        guard bytes.count >= 10, bytes.starts(with: "GIF8".utf8) else { return nil }
        return ("GIF", little(bytes, 6, 2), little(bytes, 8, 2))
    }

    private static func bmp(_ bytes: [UInt8]) -> Finding? {
        guard bytes.count >= 26, bytes.starts(with: "BM".utf8), little(bytes, 14, 4) >= 40 else { return nil }
        return ("BMP", little(bytes, 18, 4), little(bytes, 22, 4))
    }

    private static func webP(_ bytes: [UInt8]) -> Finding? {
        guard bytes.count >= 30, bytes.starts(with: "RIFF".utf8), bytes[8...].starts(with: "WEBP".utf8) else {
            return nil
        }
        switch String(decoding: bytes[12..<16], as: UTF8.self) {
        case "VP8X": return ("WebP", little(bytes, 24, 3) + 1, little(bytes, 27, 3) + 1)
        case "VP8 ": return ("WebP", little(bytes, 26, 2) & 0x3FFF, little(bytes, 28, 2) & 0x3FFF)
        case "VP8L":
            let bits = little(bytes, 21, 4)
            return ("WebP", bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
        default: return nil
        }
    }

    /// The size is in the first start of frame (ITU-T T.81, B.2.2), behind segments of any length.
    private static func jpeg(_ bytes: [UInt8]) -> Finding? {
        guard bytes.starts(with: [0xFF, 0xD8, 0xFF]) else { return nil }
        var offset = 2
        while offset + 9 <= bytes.count, bytes[offset] == 0xFF {
            let marker = bytes[offset + 1]
            if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
                return ("JPEG", big(bytes, offset + 7, 2), big(bytes, offset + 5, 2))
            }
            offset += 2 + big(bytes, offset + 2, 2)
        }
        return nil
    }
}
