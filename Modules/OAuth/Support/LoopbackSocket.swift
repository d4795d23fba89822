#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The sockets of a ``LoopbackReceiver``: a server for a single request.
enum LoopbackSocket {
    /// The longest request head that is read.
    private static let headLimit = 16 << 10
    /// The seconds that a client may take for each part of the response.
    private static let sendTimeout = 10

    /// Listens on a free port of 127.0.0.1.
    static func listen() throws(OAuthError) -> (descriptor: Int32, port: UInt16) {
        #if canImport(Darwin)
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #else
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        #endif
        guard descriptor >= 0 else { throw failure("socket") }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, size) == 0 && getsockname(descriptor, pointer, &size) == 0
            }
        }
        guard isBound, systemListen(descriptor) else {
            let error = failure("listen")
            close(descriptor)
            throw error
        }
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }

    /// Waits for a request whose target is a redirect, and answers it with `page`; answers others with 404.
    ///
    /// - Parameters:
    ///   - listener: The listening socket.
    ///   - page: The text of the response.
    ///   - headTimeout: The time that a client may take for its whole head. Clients are served one after the other.
    ///   - isRedirect: Returns whether a target, the query included, is the redirect's.
    /// - Returns: The request's target, the query included.
    static func target(
        on listener: Int32,
        _ page: String,
        headTimeout: Duration = .seconds(10),
        where isRedirect: (String) -> Bool
    ) throws(OAuthError) -> String {
        while true {
            let connection = accept(listener, nil, nil)
            if connection < 0, errno == EINTR || errno == ECONNABORTED { continue }
            guard connection >= 0 else { throw failure("accept") }
            defer { close(connection) }
            var limit = timeval()
            limit.tv_sec = sendTimeout
            setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
            guard let target = readTarget(on: connection, until: ContinuousClock.now + headTimeout) else { continue }
            guard isRedirect(target) else {
                answer("404 Not Found", "Not found.", on: connection)
                continue
            }
            answer("200 OK", page, on: connection)
            return target
        }
    }

    static func close(_ descriptor: Int32) { systemClose(descriptor) }

    /// The target of a `GET` request; `nil` for anything else.
    private static func readTarget(on connection: Int32, until deadline: ContinuousClock.Instant) -> String? {
        var head: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while head.count < headLimit {
            // Not by SO_RCVTIMEO, which restarts with each byte.
            let rest = ContinuousClock.now.duration(to: deadline)
            var polled = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
            let ready = poll(&polled, 1, Int32(clamping: max(0, Int64(rest / .milliseconds(1)) + 1)))
            if ready < 0, errno == EINTR { continue }
            guard ready > 0, rest > .zero else { return nil }
            let count = recv(connection, &chunk, chunk.count, 0)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            head += chunk[..<count]
            // The whole head: closing a socket with unread bytes resets the connection.
            guard String(decoding: head, as: UTF8.self).contains("\r\n\r\n") else { continue }
            let words = String(decoding: head.prefix { $0 != 13 }, as: UTF8.self).split(separator: " ")
            guard words.count == 3, words[0] == "GET", words[1].utf8.first == UInt8(ascii: "/") else { return nil }
            return String(words[1])
        }
        return nil
    }

    private static func answer(_ status: String, _ page: String, on connection: Int32) {
        let content = Array(page.utf8)
        let head = """
            HTTP/1.1 \(status)\r
            Content-Type: text/plain; charset=utf-8\r
            Content-Length: \(content.count)\r
            Cache-Control: no-store\r
            Referrer-Policy: no-referrer\r
            Connection: close\r
            \r

            """
        var bytes = ArraySlice(Array(head.utf8) + content)
        while !bytes.isEmpty {
            let flags = Int32(MSG_NOSIGNAL)
            let count = bytes.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, flags) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
        shutdown(connection, Int32(SHUT_WR))
    }

    private static func failure(_ call: String) -> OAuthError {
        .receiverFailed("\(call): \(String(cString: strerror(errno)))")
    }
}

// The system functions whose names the methods above shadow.

private func systemListen(_ descriptor: Int32) -> Bool { listen(descriptor, 8) == 0 }

private func systemClose(_ descriptor: Int32) { _ = close(descriptor) }
