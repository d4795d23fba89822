internal import Glibc
internal import Synchronization

/// One connection of a ``ScriptedServer``.
public final class ScriptedConnection: Sendable {
    private struct ConnectionState {
        var descriptor: Int32
        var received: [UInt8] = []
        /// Bytes that were read beyond what a script asked for.
        var unread: ArraySlice<UInt8> = []
        var sent = 0
    }

    /// The connection's number, from 0.
    public let index: Int
    /// The longest wait of a read or a write before the script fails.
    public let patience: Duration
    /// The client's address without its port.
    public let clientAddress: String?
    // Guards the descriptor and the received bytes.
    private let state: Mutex<ConnectionState>

    init(_ descriptor: Int32, index: Int, patience: Duration = .seconds(30)) {
        self.index = index
        self.patience = patience
        clientAddress = Loopback.peerAddress(of: descriptor)
        state = Mutex(ConnectionState(descriptor: descriptor))
        var flag: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &flag, socklen_t(MemoryLayout<Int32>.size))
    }

    // MARK: What arrived

    /// All bytes that were read so far.
    public var received: [UInt8] { state.withLock { $0.received } }
    /// All bytes that were read so far, as text.
    public var receivedText: String { String(decoding: received, as: UTF8.self) }
    /// The number of bytes that the kernel has taken from the script.
    public var sentCount: Int { state.withLock { $0.sent } }

    /// The number of TCP segments with content that have arrived: one for each `send` of a client without Nagle's
    /// algorithm.
    public var receivedSegmentCount: Int {
        state.withLock { state in
            var information = [UInt32](repeating: 0, count: 64)
            var size = socklen_t(information.count * MemoryLayout<UInt32>.stride)
            getsockopt(state.descriptor, Int32(IPPROTO_TCP), TCP_INFO, &information, &size)
            // `tcpi_data_segs_in` of Linux's `struct tcp_info`, which Glibc's lacks.
            return Int(information[152 / MemoryLayout<UInt32>.stride])
        }
    }

    /// Reads up to and with the blank line that ends a head.
    ///
    /// - Returns: The head, with its line ends.
    /// - Throws: ``ScriptError`` if the peer closes first or ``patience`` has passed.
    @discardableResult
    public func readHead() throws -> String {
        let end = Array("\r\n\r\n".utf8)
        var head: [UInt8] = []
        while !head.ends(with: end) { head += try read(1) }
        return String(decoding: head, as: UTF8.self)
    }

    /// Reads at least one byte, or none at the end.
    ///
    /// - Throws: ``ScriptError`` if ``patience`` has passed.
    public func readSome() throws -> [UInt8] {
        while true {
            let bytes = takeUnread(.max)
            guard bytes.isEmpty else { return bytes }
            guard try fill() else { return [] }
        }
    }

    /// Reads exactly `count` bytes.
    ///
    /// - Throws: ``ScriptError`` if the peer closes first or ``patience`` has passed.
    @discardableResult
    public func read(_ count: Int) throws -> [UInt8] {
        var bytes = takeUnread(count)
        while bytes.count < count {
            guard try fill() else { throw ScriptError("the peer closed after \(bytes.count) of \(count) bytes") }
            bytes += takeUnread(count - bytes.count)
        }
        return bytes
    }

    /// Reads a body in the chunked coding (RFC 9112 §7.1) with its trailer section.
    ///
    /// - Returns: The content, and the trailer lines.
    /// - Throws: ``ScriptError`` if the peer closes first, ``patience`` has passed, or a chunk has no size.
    public func readChunkedBody() throws -> (content: [UInt8], trailers: [String]) {
        var content: [UInt8] = []
        while case let size = try readChunkSize(), size > 0 {
            content += try read(size)
            try read(2)
        }
        var trailers: [String] = []
        while case let line = try readLine(), !line.isEmpty { trailers.append(line) }
        return (content, trailers)
    }

    /// Reads one chunk (RFC 9112 §7.1). The last one, with its trailer section, is empty.
    ///
    /// - Throws: ``ScriptError`` if the peer closes first, ``patience`` has passed, or the chunk has no size.
    public func readChunk() throws -> [UInt8] {
        let size = try readChunkSize()
        guard size > 0 else {
            while try !readLine().isEmpty {}
            return []
        }
        let chunk = try read(size)
        try read(2)
        return chunk
    }

    private func readChunkSize() throws -> Int {
        let line = try readLine()
        guard let size = Int(line.prefix { $0 != ";" }, radix: 16), size >= 0 else {
            throw ScriptError("no chunk size: \(line)")
        }
        return size
    }

    /// Reads a line and drops its end.
    ///
    /// - Throws: ``ScriptError`` if the peer closes first or ``patience`` has passed.
    public func readLine() throws -> String {
        var line: [UInt8] = []
        while !line.ends(with: [13, 10]) { line += try read(1) }
        return String(decoding: line.dropLast(2), as: UTF8.self)
    }

    /// Reads until the peer closes its direction. A reset counts as the end.
    ///
    /// - Returns: The bytes.
    /// - Throws: ``ScriptError`` if ``patience`` has passed without a byte.
    @discardableResult
    public func readToEnd() throws -> [UInt8] {
        var bytes = takeUnread(.max)
        while try fill() { bytes += takeUnread(.max) }
        return bytes
    }

    /// Whether the peer closes or resets the connection within `limit`. Bytes that arrive meanwhile are kept.
    public func peerCloses(within limit: Duration) -> Bool {
        let deadline = ContinuousClock.now + limit
        while ContinuousClock.now < deadline {
            guard let isOpen = try? fill(within: deadline - ContinuousClock.now) else { return false }
            if !isOpen { return true }
        }
        return false
    }

    // MARK: What is sent

    /// Sends `text` as it is.
    ///
    /// - Throws: ``ScriptError`` if the connection breaks, or if the peer accepts nothing until ``patience`` has
    ///   passed.
    public func send(_ text: String) throws { try send(Array(text.utf8)) }

    /// Sends `bytes`.
    ///
    /// - Throws: ``ScriptError`` if the connection breaks, or if the peer accepts nothing until ``patience`` has
    ///   passed.
    public func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            try wait(for: Int16(POLLOUT), patience, "write")
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, noSignal) }
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count >= 0 else { throw ScriptError.system("send") }
            rest = rest.dropFirst(count)
            state.withLock { $0.sent += count }
        }
    }

    /// Sends `text` a byte at a time.
    ///
    /// - Parameters:
    ///   - text: The text, which is sent in UTF-8.
    ///   - pause: The pause after each byte.
    /// - Throws: ``ScriptError`` if the connection breaks, or if the peer accepts nothing until ``patience`` has
    ///   passed.
    public func trickle(_ text: String, every pause: Duration) throws {
        for byte in text.utf8 {
            try send([byte])
            self.pause(pause)
        }
    }

    /// Sends the same bytes repeatedly until the peer takes no more for `quiet`, or `limit` bytes have been sent.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - limit: The number of bytes after which to stop.
    ///   - quiet: The time without room for more bytes after which to stop.
    /// - Returns: The number of bytes that the kernel took.
    /// - Throws: ``ScriptError`` if the connection breaks.
    public func sendUntilBlocked(_ bytes: [UInt8], limit: Int, quiet: Duration = .milliseconds(300)) throws -> Int {
        var total = 0
        while total < limit {
            guard try poll(for: Int16(POLLOUT), quiet) else { break }
            let flags = noSignal | Int32(MSG_DONTWAIT)
            let count = bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, flags) }
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count > 0 else { throw ScriptError.system("send") }
            total += count
            state.withLock { $0.sent += count }
        }
        return total
    }

    /// Discards bytes that have arrived, without waiting for more.
    func discardReceived() {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let flags = Int32(MSG_DONTWAIT)
        while buffer.withUnsafeMutableBytes({ recv(descriptor, $0.baseAddress, $0.count, flags) }) > 0 {}
    }

    /// Whether the kernel takes bytes within `limit`.
    func canSend(within limit: Duration) -> Bool {
        (try? poll(for: Int16(POLLOUT), limit)) ?? true
    }

    /// Puts bytes back, so that they are read again.
    func putBack(_ bytes: [UInt8]) {
        state.withLock { $0.unread = ArraySlice(bytes + $0.unread) }
    }

    /// Whether there is something to read within `limit`. The end of the connection counts.
    func hasReceived(within limit: Duration) -> Bool {
        if state.withLock({ !$0.unread.isEmpty }) { return true }
        return (try? poll(for: Int16(POLLIN), limit)) ?? true
    }

    /// Waits.
    public func pause(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        usleep(useconds_t(seconds * 1_000_000 + attoseconds / 1_000_000_000_000))
    }

    // MARK: How it ends

    /// Ends our direction; the peer's stays open.
    public func finishWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Closes the connection.
    public func close() { finish() }

    /// Closes the connection with a reset.
    public func reset() {
        resetAtEnd()
        finish()
    }

    /// Makes the later end of the connection a reset.
    func resetAtEnd() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    // MARK: Plumbing

    /// -1 once the connection is closed.
    var descriptor: Int32 { state.withLock { $0.descriptor } }

    private var noSignal: Int32 { Int32(MSG_NOSIGNAL) }

    /// Wakes a script that waits.
    func interrupt() {
        let descriptor = descriptor
        if descriptor >= 0 { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }

    /// Closes the descriptor, once.
    func finish() {
        let descriptor = state.withLock { state -> Int32 in
            defer { state.descriptor = -1 }
            return state.descriptor
        }
        if descriptor >= 0 { Glibc.close(descriptor) }
    }

    private func takeUnread(_ count: Int) -> [UInt8] {
        state.withLock { state in
            let taken = Array(state.unread.prefix(count))
            state.unread = state.unread.dropFirst(taken.count)
            return taken
        }
    }

    /// Reads the available bytes, after a wait if there are none. Returns `false` at the end.
    private func fill(within limit: Duration? = nil) throws -> Bool {
        try wait(for: Int16(POLLIN), limit ?? patience, "read")
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
        if count < 0, errno == EINTR || errno == EAGAIN { return true }
        guard count > 0 else { return false }
        state.withLock { state in
            state.received += buffer[..<count]
            state.unread += buffer[..<count]
        }
        return true
    }

    private func wait(for events: Int16, _ limit: Duration, _ verb: String) throws {
        guard try poll(for: events, limit) else { throw ScriptError("nothing to \(verb) for \(limit)") }
    }

    private func poll(for events: Int16, _ limit: Duration) throws -> Bool {
        var entry = pollfd(fd: descriptor, events: events, revents: 0)
        guard entry.fd >= 0 else { throw ScriptError("the connection is closed") }
        let (seconds, attoseconds) = limit.components
        let count = Glibc.poll(&entry, 1, Int32(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000))
        return count > 0
    }
}

extension [UInt8] {
    fileprivate func ends(with suffix: [UInt8]) -> Bool { self.suffix(suffix.count).elementsEqual(suffix) }
}
