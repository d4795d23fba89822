package import FoundationEssentials

/// The alignment of memory into which the kernel copies much.
///
/// The kernel copies with `rep movsb`. On some processors by AMD this takes up to three times as long if the
/// destination begins 1 to 31 bytes after the start of a page: to receive 256 MiB over loopback took 170 instead of 65
/// ms. `malloc` returns addresses 16 bytes after the start of a page for blocks of 128 KiB and more.
package enum PageAlignment {
    /// The size of a page, in bytes.
    package static let byteCount = 4096
}

extension Data {
    /// Creates data in memory that begins at the start of a page.
    ///
    /// - Parameters:
    ///   - capacity: The size of the memory in bytes, at least 1.
    ///   - fill: Stores bytes in the memory, whose content is unspecified, and returns their number.
    /// - Throws: What `fill` throws.
    package init(pageAlignedUpTo capacity: Int, _ fill: (UnsafeMutableRawBufferPointer) throws -> Int) rethrows {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: PageAlignment.byteCount)
        do {
            let count = Swift.min(Swift.max(0, try fill(memory)), memory.count)
            guard count > 0, let start = memory.baseAddress else {
                memory.deallocate()
                self.init()
                return
            }
            self.init(bytesNoCopy: start, count: count, deallocator: .custom { start, _ in start.deallocate() })
        } catch {
            memory.deallocate()
            throw error
        }
    }
}
