import AirframeTransport
import Foundation
import Testing

/// Data in memory that begins at the start of a page.
@Suite("Page alignment")
struct PageAlignmentTests {
    @Test("holds the bytes that were stored, at the start of a page", arguments: [1, 4096, 200_000])
    func filled(_ count: Int) {
        let data = Data(pageAlignedUpTo: 256 * 1024) { memory in
            for index in 0..<count { memory[index] = UInt8(truncatingIfNeeded: index) }
            return count
        }
        #expect(data == Data((0..<count).map { UInt8(truncatingIfNeeded: $0) }))
        // Data stores up to 14 bytes inline.
        guard count > 14 else { return }
        let address = data.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
        #expect(address % UInt(PageAlignment.byteCount) == 0)
    }

    @Test("is empty if nothing was stored", arguments: [0, -1])
    func empty(_ result: Int) {
        #expect(Data(pageAlignedUpTo: 4096) { _ in result }.isEmpty)
    }

    @Test("never has more bytes than the memory")
    func clamped() {
        #expect(Data(pageAlignedUpTo: 100) { _ in 101 }.count == 100)
    }

    @Test("throws the error of the function")
    func failure() {
        #expect(throws: CancellationError.self) {
            _ = try Data(pageAlignedUpTo: 4096) { _ in throw CancellationError() }
        }
    }
}
