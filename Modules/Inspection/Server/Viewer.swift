internal import Dispatch
internal import Foundation
internal import Glibc

/// One connection to a viewer. All calls are made on the server's queue.
final class Viewer {
    private let descriptor: Int32
    private let limit: Int
    /// The number of bytes that the greeting adds to the limit, until everything has been sent once.
    private var allowance = 0
    private let writable: any DispatchSourceWrite
    private var pending = Data()
    private var isWaiting = false
    private(set) var isClosed = false

    init(_ descriptor: Int32, limit: Int, queue: DispatchQueue) {
        self.descriptor = descriptor
        self.limit = limit
        writable = DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: queue)
        writable.setCancelHandler { Glibc.close(descriptor) }
        writable.setEventHandler { [weak self] in self?.drain() }
    }

    /// Sends the messages up to now. They may be longer than the limit.
    func greet(_ lines: [Data]) {
        guard !isClosed else { return }
        for line in lines { pending.append(line) }
        allowance = pending.count
        if !isWaiting { drain() }
    }

    func send(_ line: Data) {
        guard !isClosed else { return }
        pending.append(line)
        if !isWaiting { drain() }
        if pending.count > limit + allowance { close() }
    }

    private func drain() {
        while !pending.isEmpty, !isClosed {
            let count = pending.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            }
            if count > 0 {
                pending = pending.dropFirst(count)
            } else if errno == EAGAIN {
                return wait(true)
            } else if errno != EINTR {
                return close()
            }
        }
        pending = Data()
        allowance = 0
        wait(false)
    }

    /// Starts or stops the notifications that the socket accepts more bytes.
    private func wait(_ shouldWait: Bool) {
        guard shouldWait != isWaiting, !isClosed else { return }
        isWaiting = shouldWait
        if shouldWait { writable.resume() } else { writable.suspend() }
    }

    func close() {
        guard !isClosed else { return }
        // A suspended source never calls its cancel handler.
        if !isWaiting { writable.resume() }
        isClosed = true
        writable.cancel()
    }
}
