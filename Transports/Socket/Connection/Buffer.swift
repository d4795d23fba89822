internal import FoundationEssentials
internal import Synchronization

/// Memory that is read into, used again and again.
///
/// `@unchecked Sendable`: it is owned by one task at a time: the one that takes it from the pool, until it is given
/// back, by itself or by the data that was made of it.
final class Buffer: @unchecked Sendable {
    let bytes: UnsafeMutableRawBufferPointer

    fileprivate init(size: Int) { bytes = .allocate(byteCount: size, alignment: 16) }

    deinit { bytes.deallocate() }
}

/// Buffers that are not in use.
///
/// A connection has none of its own: it takes one when there is something to read, so that a thousand connections that
/// wait cost no memory, and the few buffers in use stay in the processor's cache.
final class BufferPool: Sendable {
    /// The size of a buffer.
    static let size = 128 * 1024

    private static let keptCount = 16

    // Guards the buffers that are free.
    private let free = Mutex<[Buffer]>([])

    /// A buffer, with anything in it.
    func take() -> Buffer { free.withLock { $0.popLast() } ?? Buffer(size: Self.size) }

    /// Takes a buffer back.
    func give(_ buffer: Buffer) {
        free.withLock { free in
            if free.count < Self.keptCount { free.append(buffer) }
        }
    }

    /// A part of a buffer as data, which gives the buffer back when it is freed. Small parts are copied: they must not
    /// hold all of it.
    func data(_ range: Range<Int>, of buffer: Buffer) -> Data {
        let part = UnsafeMutableRawBufferPointer(rebasing: buffer.bytes[range])
        guard let start = part.baseAddress, part.count >= Self.size / 16 else {
            defer { give(buffer) }
            return Data(part)
        }
        return Data(bytesNoCopy: start, count: part.count, deallocator: .custom { _, _ in self.give(buffer) })
    }
}
