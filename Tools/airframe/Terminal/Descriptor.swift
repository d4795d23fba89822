import Glibc

/// A descriptor that other programs may share.
enum Descriptor {
    /// Writes all of `bytes`.
    ///
    /// `O_NONBLOCK` belongs to the open file description, which programs share with their children: if another program
    /// has set it, waits until there is room.
    ///
    /// - Returns: 0, or the error number of the write that failed.
    static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            guard count <= 0 else {
                rest = rest.dropFirst(count)
                continue
            }
            let code = count < 0 ? errno : EIO
            switch code {
            case EINTR: break
            case EAGAIN:
                var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&room, 1, -1)
            default: return code
            }
        }
        return 0
    }
}
