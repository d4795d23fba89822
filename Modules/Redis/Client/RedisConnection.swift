internal import AirframeTransport
internal import CHiredis
internal import FoundationEssentials
internal import Glibc

/// A non-blocking connection of hiredis. No other code calls the library.
///
/// Confined to the thread of its ``RedisLoop``. Errors are strings; the loop adds the server's address.
final class RedisConnection {
    struct Failure: Error {
        let reason: String
    }

    private let context: UnsafeMutablePointer<redisContext>
    /// Whether bytes are buffered until the socket is writable.
    private(set) var hasOutput = false

    /// Begins to connect.
    ///
    /// - Parameter address: A Unix socket or an IP address. Resolving a name here would block the thread.
    init(to address: RedisClient.Configuration.Address) throws(Failure) {
        let made =
            switch address {
            case .tcp(let host, let port): redisConnectNonBlock(host, Int32(clamping: port))
            case .unixSocket(let path): redisConnectUnixNonBlock(path)
            }
        guard let context = made else { throw Failure(reason: "out of memory") }
        self.context = context
        try check()
    }

    deinit { redisFree(context) }

    var descriptor: Int32 { context.pointee.fd }

    /// Adds a command to the output buffer.
    func append(_ bytes: [UInt8]) throws(Failure) {
        let status = bytes.withUnsafeBytes { buffer in
            redisAppendFormattedCommand(context, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count)
        }
        hasOutput = true
        if status != REDIS_OK { try check() }
    }

    /// Writes as much of the output buffer as the socket accepts.
    func write() throws(Failure) {
        var isDone: Int32 = 0
        // hiredis writes without MSG_NOSIGNAL.
        let status = BrokenPipe.withoutSignal { Int(redisBufferWrite(context, &isDone)) }
        guard status == Int(REDIS_OK) else { return try check() }
        hasOutput = isDone == 0
    }

    /// Reads the available bytes.
    func read() throws(Failure) {
        guard redisBufferRead(context) == REDIS_OK else { return try check() }
    }

    /// The next complete reply; `nil` if there is none.
    func nextReply() throws(Failure) -> RedisReply? {
        var reply: UnsafeMutableRawPointer?
        guard redisGetReplyFromReader(context, &reply) == REDIS_OK else {
            try check()
            return nil
        }
        guard let reply else { return nil }
        defer { freeReplyObject(reply) }
        return RedisReply(reply.assumingMemoryBound(to: redisReply.self).pointee)
    }

    /// Throws the context's error. The kernel may know why a connection was never established.
    private func check() throws(Failure) {
        guard context.pointee.err != 0 else { return }
        let text = withUnsafePointer(to: &context.pointee.errstr) { pointer in
            pointer.withMemoryRebound(to: CChar.self, capacity: 128) { String(cString: $0) }
        }
        throw Failure(reason: text.isEmpty ? "the connection failed" : text)
    }
}

extension RedisReply {
    fileprivate init(_ reply: redisReply) {
        let text = { () -> Data in reply.str.map { Data(bytes: $0, count: reply.len) } ?? Data() }
        switch reply.type {
        case REDIS_REPLY_INTEGER: self = .integer(reply.integer)
        case REDIS_REPLY_STRING: self = .data(text())
        case REDIS_REPLY_STATUS: self = .status(String(decoding: text(), as: UTF8.self))
        case REDIS_REPLY_ERROR: self = .error(String(decoding: text(), as: UTF8.self))
        case REDIS_REPLY_ARRAY:
            self = .array(
                (0..<reply.elements).map { index in
                    reply.element?[index].map { RedisReply($0.pointee) } ?? .null
                })
        default: self = .null
        }
    }
}
