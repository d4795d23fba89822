internal import CCurl
internal import CCurlHTTP2
internal import Glibc

/// A check whether libcurl's HTTP/2 sessions can be observed in this process, by one exchange over a Unix socket.
///
/// CCurlHTTP2 sees the calls between libcurl and libnghttp2 only if the dynamic linker binds libcurl to it. It does not
/// if libcurl is linked statically, or was loaded earlier by a program that loads this one as a plug-in. A later
/// libcurl could also use libnghttp2 in another way.
final class HTTP2Probe: HTTP2Record {
    /// Whether the start and the end of a stream are reported with the stream's easy handle.
    static let isObservable: Bool = run()

    private let easy: UnsafeMutableRawPointer
    private var hasBegun = false
    private var hasEnded = false

    private init(_ easy: UnsafeMutableRawPointer) { self.easy = easy }

    override func send(_ frame: airframe_http2_frame) {
        if frame.type == FrameType.headers, frame.easy == easy { hasBegun = true }
    }

    override func receive(_ frame: airframe_http2_frame) {
        let endsStream = frame.type == FrameType.headers && frame.flags & FrameFlag.endStream != 0
        if endsStream, frame.easy == easy { hasEnded = true }
    }

    /// SETTINGS, and HEADERS on stream 1 with END_STREAM: `:status: 204` is number 9 of HPACK's static table.
    private static let answer: [UInt8] = [
        0, 0, 0, 4, 0, 0, 0, 0, 0,
        0, 0, 1, 1, 5, 0, 0, 0, 1, 0x89,
    ]

    private static func run() -> Bool {
        _ = CurlLibrary.initialization
        guard let listener = Listener(), let easy = EasyHandle(), let multi = MultiHandle() else { return false }
        let probe = HTTP2Probe(easy.pointer)
        let owner = HTTP2Owner { _ in probe }
        easy.set(CURLOPT_URL, "http://127.0.0.1/")
        easy.set(CURLOPT_ABSTRACT_UNIX_SOCKET, listener.name)
        easy.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE))
        easy.set(CURLOPT_PROXY, "")
        easy.set(CURLOPT_NOSIGNAL, true)
        easy.setData(CURLOPT_WRITEFUNCTION) { _, size, count, _ in size * count }
        let isAnswered = exchange(easy, multi, owner, listener)
        multi.remove(easy)
        multi.close()
        return isAnswered && probe.hasBegun && probe.hasEnded
    }

    private static func exchange(
        _ easy: EasyHandle,
        _ multi: MultiHandle,
        _ owner: HTTP2Owner,
        _ listener: Listener
    ) -> Bool {
        guard easy.failure == CURLE_OK, multi.add(easy) == CURLM_OK else { return false }
        // Both ends are on this thread, so a few rounds suffice.
        for _ in 0..<100 {
            owner.whileCalling { multi.perform() }
            if let (_, result) = multi.nextEnded() { return result == CURLE_OK }
            listener.answer(with: answer)
        }
        return false
    }
}

/// A socket in Linux's abstract namespace, which is not in the file system (unix(7)).
private final class Listener {
    let name: String
    private let descriptor: Int32
    private var connections: [Int32] = []

    init?() {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_UNIX, kind, 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var length = socklen_t(MemoryLayout<sockaddr_un>.size)
        // A socket that is bound without a name gets a free one.
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sa_family_t>.size)) == 0 && listen(descriptor, 4) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        self.descriptor = descriptor
        let start = MemoryLayout<sa_family_t>.size + 1
        name = withUnsafeBytes(of: address) { bytes in
            String(decoding: bytes.prefix(Int(length)).dropFirst(start), as: UTF8.self)
        }
        guard isBound, !name.isEmpty else {
            Glibc.close(descriptor)
            return nil
        }
    }

    deinit {
        for connection in connections + [descriptor] { Glibc.close(connection) }
    }

    /// Accepts a connection, if there is one, and answers it.
    func answer(with bytes: [UInt8]) {
        let connection = accept(descriptor, nil, nil)
        guard connection >= 0 else { return }
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        connections.append(connection)
        _ = send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }
}
