internal import Dispatch
internal import Foundation
internal import Glibc

/// One connection to a viewer, until the viewer closes it. All calls are made on the server's queue.
final class Viewer {
    private let descriptor: SharedDescriptor
    private let limit: Int
    /// The number of bytes that the greeting adds to the limit, until everything has been sent once.
    private var allowance = 0
    private let readable: any DispatchSourceRead
    private let writable: any DispatchSourceWrite
    private var pending = Data()
    private var isWaiting = false
    private(set) var isClosed = false

    init(_ connection: Int32, limit: Int, queue: DispatchQueue) {
        let descriptor = SharedDescriptor(connection)
        self.descriptor = descriptor
        self.limit = limit
        readable = DispatchSource.makeReadSource(fileDescriptor: connection, queue: queue)
        writable = DispatchSource.makeWriteSource(fileDescriptor: connection, queue: queue)
        readable.setCancelHandler { descriptor.endSource() }
        writable.setCancelHandler { descriptor.endSource() }
        readable.setEventHandler { [weak self] in self?.receive() }
        writable.setEventHandler { [weak self] in self?.drain() }
        readable.resume()
    }

    /// Notices the end of the connection. A viewer sends nothing, and may end its direction and continue to read.
    private func receive() {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.recv(descriptor.number, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        if count == 0, !hasHungUp {
            // The socket stays readable, so that the source would fire without end.
            readable.cancel()
        } else if count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR) {
            close()
        }
    }

    /// Closes the connection if the viewer has closed it. After the end of the viewer's direction, only this and a
    /// message that cannot be sent notice that.
    func closeIfHungUp() {
        if !isClosed, hasHungUp { close() }
    }

    /// Whether the viewer has closed both directions.
    private var hasHungUp: Bool {
        var entry = pollfd(fd: descriptor.number, events: 0, revents: 0)
        return Glibc.poll(&entry, 1, 0) > 0 && entry.revents & Int16(POLLHUP | POLLERR) != 0
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
                Glibc.send(descriptor.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
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
        pending = Data()
        readable.cancel()
        writable.cancel()
    }
}

/// A descriptor with a source for each direction, closed when both are cancelled.
private final class SharedDescriptor {
    let number: Int32
    private var sources = 2

    init(_ number: Int32) { self.number = number }

    func endSource() {
        sources -= 1
        if sources == 0 { Glibc.close(number) }
    }
}
