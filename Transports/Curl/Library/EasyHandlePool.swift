internal import CCurl

/// Easy handles that wait for their next transfer.
struct EasyHandlePool {
    private var idle: [EasyHandle] = []

    // A handle is some 5 KiB, and may keep its receive buffer; a burst need not be remembered for ever.
    private static let capacity = 64

    /// A handle without settings, or `nil` when memory ran out.
    mutating func take() -> EasyHandle? { idle.popLast() ?? EasyHandle() }

    /// Takes back a handle whose transfer succeeded. One whose transfer was cut off is not used again: libcurl 7.88 can
    /// leave bytes of a paused HTTP/2 stream in it, which the next transfer would get.
    mutating func give(_ handle: EasyHandle) {
        guard idle.count < Self.capacity else { return }
        handle.reset()
        idle.append(handle)
    }
}

extension EasyHandle {
    /// The pointer that a handle was given for its owner.
    static func owner(of easy: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        var owner: UnsafeMutableRawPointer?
        return airframe_getinfo_pointer(easy, CURLINFO_PRIVATE, &owner) == CURLE_OK ? owner : nil
    }
}
