internal import CCurl

/// The sockets in the poller, and the events that they are watched for.
///
/// libcurl stops watching a connection when its exchange ends and starts again with the next one, which would cost two
/// system calls per request. A connection that the engine knows stays in the poller. The engine handles events that
/// libcurl does not wait for (``Engine/tendIdle(_:)``).
struct SocketWatch {
    private struct Entry {
        var wanted: UInt32 = 0
        var registered: UInt32 = 0
        /// Zero for a socket that is not in the poller.
        var token: UInt64 = 0
    }

    // By descriptor, which is a small number.
    private var entries: [Entry] = []

    /// Records the events of a socket that libcurl waits for.
    ///
    /// - Parameter isKept: Whether the engine is notified when the socket is closed, so that it may stay in the poller.
    mutating func want(
        _ action: Int32,
        of descriptor: Int32,
        context: UInt32,
        isKept: Bool,
        poller: Poller
    ) {
        guard descriptor >= 0 else { return }
        guard action != CURL_POLL_REMOVE else {
            guard isKept else { return drop(descriptor, poller: poller) }
            if entries.indices.contains(Int(descriptor)) { entries[Int(descriptor)].wanted = 0 }
            return
        }
        var wanted: UInt32 = 0
        if action & CURL_POLL_IN != 0 { wanted |= airframe_epoll_in }
        if action & CURL_POLL_OUT != 0 { wanted |= airframe_epoll_out }
        let token = UInt64(context) << 32 | UInt64(UInt32(bitPattern: descriptor))
        while entries.count <= Int(descriptor) { entries.append(Entry()) }
        let known = entries[Int(descriptor)]
        if known.registered != wanted || known.token != token {
            poller.watch(descriptor, for: wanted, token: token, isNew: known.token == 0)
        }
        entries[Int(descriptor)] = Entry(wanted: wanted, registered: wanted, token: token)
    }

    /// Returns the descriptor and the mask to report to libcurl, or `nil` if libcurl does not wait for the event.
    mutating func mask(of ready: Poller.Ready, poller: Poller) -> (descriptor: Int32, mask: Int32)? {
        let descriptor = Int32(truncatingIfNeeded: ready.token)
        guard entries.indices.contains(Int(descriptor)) else { return nil }
        let entry = entries[Int(descriptor)]
        guard entry.token == ready.token else { return nil }
        guard entry.wanted != 0 else { return nil }
        var mask: Int32 = 0
        if ready.events & airframe_epoll_in != 0 { mask |= CURL_CSELECT_IN }
        if ready.events & airframe_epoll_out != 0 { mask |= CURL_CSELECT_OUT }
        if ready.events & airframe_epoll_error != 0 { mask |= CURL_CSELECT_ERR }
        return (descriptor, mask)
    }

    /// Returns the socket of an event that libcurl does not wait for, or `nil` if the event is stale.
    func unwanted(_ ready: Poller.Ready) -> Int32? {
        let descriptor = Int32(truncatingIfNeeded: ready.token)
        guard entries.indices.contains(Int(descriptor)) else { return nil }
        let entry = entries[Int(descriptor)]
        return entry.token == ready.token && entry.wanted == 0 ? descriptor : nil
    }

    /// Watches an idle socket for its end only.
    mutating func awaitEnd(of descriptor: Int32, poller: Poller) {
        guard entries.indices.contains(Int(descriptor)) else { return }
        let token = entries[Int(descriptor)].token
        poller.watch(descriptor, for: airframe_epoll_end, token: token, isNew: false)
        entries[Int(descriptor)].registered = airframe_epoll_end
    }

    /// Removes a socket from the poller before it is closed.
    mutating func drop(_ descriptor: Int32, poller: Poller) {
        guard entries.indices.contains(Int(descriptor)), entries[Int(descriptor)].token != 0 else { return }
        entries[Int(descriptor)] = Entry()
        poller.forget(descriptor)
    }
}
