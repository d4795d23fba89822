internal import CCurl

/// Easy handles of one context that wait for their next transfer.
struct EasyHandlePool {
    private var idle: [EasyHandle] = []

    // A handle is some 5 KiB, and may keep its receive buffer; a burst need not be remembered for ever.
    private static let capacity = 64

    /// A handle that is set up for `purpose` or not at all, or `nil` when memory ran out.
    mutating func take(for purpose: EasyHandle.Purpose) -> EasyHandle? {
        guard let handle = idle.popLast() else { return EasyHandle() }
        if let current = handle.purpose, current != purpose { handle.reset() }
        handle.forgetMessage()
        return handle
    }

    /// Takes back a handle whose transfer succeeded. One whose transfer was cut off is not used again: libcurl 7.88 can
    /// leave bytes of a paused HTTP/2 stream in it, which the next transfer would get.
    ///
    /// - Parameter isClean: Whether its settings may stay as they are.
    mutating func give(_ handle: EasyHandle, isClean: Bool) {
        guard idle.count < Self.capacity else { return }
        if !isClean || handle.purpose == .particular { handle.reset() }
        idle.append(handle)
    }
}

extension EasyHandle {
    /// What libcurl's callbacks get.
    var owner: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    /// What the callbacks of a handle of libcurl's get.
    static func owner(of easy: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        var owner: UnsafeMutableRawPointer?
        return airframe_getinfo_pointer(easy, CURLINFO_PRIVATE, &owner) == CURLE_OK ? owner : nil
    }
}
