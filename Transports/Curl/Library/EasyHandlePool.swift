internal import CCurl

/// The idle easy handles of one context.
struct EasyHandlePool {
    private var idle: [EasyHandle] = []

    // A handle takes some 5 KiB, and may keep its receive buffer.
    private static let capacity = 64

    /// Returns a handle that is set up for `purpose` or not at all, or `nil` if memory is exhausted.
    mutating func take(for purpose: EasyHandle.Purpose) -> EasyHandle? {
        guard let handle = idle.popLast() else { return EasyHandle() }
        if let current = handle.purpose, current != purpose { handle.reset() }
        handle.forgetMessage()
        return handle
    }

    /// Takes back a handle whose transfer succeeded. A handle whose transfer was aborted is not reused: libcurl 7.88
    /// can leave bytes of a paused HTTP/2 stream in it, which the next transfer would receive.
    ///
    /// - Parameter isClean: Whether its settings may stay as they are.
    mutating func give(_ handle: EasyHandle, isClean: Bool) {
        guard idle.count < Self.capacity else { return }
        if !isClean || handle.purpose == .particular { handle.reset() }
        idle.append(handle)
    }
}

extension EasyHandle {
    /// The pointer that libcurl's callbacks receive.
    var owner: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    /// Returns the pointer that the callbacks of a handle receive.
    static func owner(of easy: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        var owner: UnsafeMutableRawPointer?
        return airframe_getinfo_pointer(easy, CURLINFO_PRIVATE, &owner) == CURLE_OK ? owner : nil
    }
}
