internal import AirframeTransport
internal import FoundationEssentials
internal import Synchronization

/// A reusable buffer for reading.
///
/// `@unchecked Sendable`: a buffer is owned by one task at a time, from the time it takes the buffer from the pool
/// until the task, or the data made from the buffer, returns it.
final class Buffer: @unchecked Sendable {
    let bytes: UnsafeMutableRawBufferPointer

    fileprivate init(size: Int) { bytes = .allocate(byteCount: size, alignment: PageAlignment.byteCount) }

    deinit { bytes.deallocate() }
}

/// A pool of free buffers.
///
/// A connection takes a buffer only when there is something to read, so that a thousand waiting connections need no
/// buffers, and the few buffers in use stay in the processor's cache.
final class BufferPool: Sendable {
    /// The size of a buffer in bytes.
    static let size = 128 * 1024

    /// The size of a buffer for reading ahead, in bytes.
    static let smallSize = 4096

    private static let keptCount = 16
    private static let keptSmallCount = 64

    /// The capacity up to which the memory of a head is kept.
    private static let headSize = 1024

    // Guards the buffers that are free.
    private let free = Mutex<[Buffer]>([])
    // Guards the small buffers that are free.
    private let freeSmall = Mutex<[Buffer]>([])
    // Guards the memory of heads that is free.
    private let freeHeads = Mutex<[[UInt8]]>([])

    /// Returns a buffer with unspecified contents.
    func take() -> Buffer { free.withLock { $0.popLast() } ?? Buffer(size: Self.size) }

    /// Returns a buffer for reading ahead, with unspecified contents.
    func takeSmall() -> Buffer { freeSmall.withLock { $0.popLast() } ?? Buffer(size: Self.smallSize) }

    /// Returns a buffer to the pool.
    func give(_ buffer: Buffer) {
        guard buffer.bytes.count > Self.smallSize else {
            return freeSmall.withLock { free in
                if free.count < Self.keptSmallCount { free.append(buffer) }
            }
        }
        free.withLock { free in
            if free.count < Self.keptCount { free.append(buffer) }
        }
    }

    /// Returns an empty array with memory for a small head, if there is one.
    func takeHead() -> [UInt8] { freeHeads.withLock { $0.popLast() } ?? [] }

    /// Returns the memory of a head to the pool. To allocate and free it took 450 instructions per request.
    func giveHead(_ head: consuming [UInt8]) {
        guard head.capacity <= Self.headSize else { return }
        head.removeAll(keepingCapacity: true)
        freeHeads.withLock { [head] free in
            if free.count < Self.keptCount { free.append(head) }
        }
    }

    /// Returns a part of a buffer as data, which returns the buffer to the pool when it is freed. Small parts are
    /// copied, so that they do not keep a whole buffer.
    func data(_ range: Range<Int>, of buffer: Buffer) -> Data {
        let part = UnsafeMutableRawBufferPointer(rebasing: buffer.bytes[range])
        guard let start = part.baseAddress, part.count >= Self.size / 16 else {
            defer { give(buffer) }
            // `Data(part)` asks for a conformance of the pointer's type first, 600 instructions.
            return part.baseAddress.map { Data(bytes: $0, count: part.count) } ?? Data()
        }
        return Data(bytesNoCopy: start, count: part.count, deallocator: .custom { _, _ in self.give(buffer) })
    }
}
