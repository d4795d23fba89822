internal import Glibc

/// A closed port of the loopback address, reserved so that no other process gets it.
final class ClosedPort: Sendable {
    let number: Int
    private let descriptor: Int32

    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw ScriptError.system("socket") }
        guard let port = Loopback.bind(descriptor) else {
            let error = ScriptError.system("bind")
            close(descriptor)
            throw error
        }
        number = port
    }

    deinit { close(descriptor) }
}

/// A listening socket with a full queue. On Linux, attempts to connect get no response.
final class FullListener: Sendable {
    let port: Int
    private let descriptors: [Int32]

    init() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard listener >= 0 else { throw ScriptError.system("socket") }
        guard let port = Loopback.bind(listener), listen(listener, 0) == 0 else {
            let error = ScriptError.system("listen")
            close(listener)
            throw error
        }
        self.port = port
        var fillers: [Int32] = []
        for _ in 0..<4 {
            let filler = socket(
                AF_INET,
                Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue),
                0
            )
            guard filler >= 0 else { continue }
            Loopback.connect(filler, to: port)
            // The queue takes a connection when its handshake is over.
            var entry = pollfd(fd: filler, events: Int16(POLLOUT), revents: 0)
            poll(&entry, 1, 50)
            fillers.append(filler)
        }
        descriptors = [listener] + fillers
    }

    deinit {
        for descriptor in descriptors { close(descriptor) }
    }
}
