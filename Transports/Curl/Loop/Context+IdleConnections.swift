internal import AirframeTransport
internal import AirframeWire
internal import CCurl
internal import Glibc

// Idle connections that their servers close.
//
// libcurl 7.88 looks for dead connections only when a transfer begins, and takes one that is half closed for alive:
// left to itself, it would keep the socket until the idle age. So the engine shuts such a socket down, and has libcurl
// begin a transfer that never opens a socket.

extension Engine {
    /// Looks at an event on a socket that libcurl does not wait for.
    func tendIdle(_ event: Poller.Ready) {
        guard let descriptor = watch.unwanted(event) else { return }
        guard let link = links[descriptor], let context = contexts[UInt32(event.token >> 32)], !isInUse(link) else {
            return watch.drop(descriptor, poller: poller)
        }
        guard event.events & (airframe_epoll_end | airframe_epoll_error) != 0 else {
            return watch.awaitEnd(of: descriptor, poller: poller)
        }
        watch.drop(descriptor, poller: poller)
        link.shutDown()
        context.discard(link)
    }

    /// Whether a transfer uses the connection. One whose reader is slow waits for no event.
    private func isInUse(_ link: Link) -> Bool { transfers.values.contains { $0.link === link } }
}

extension Context {
    /// How long after an attempt libcurl looks again: it does so once a second at most.
    private static let pruningPause: Int64 = 1_020_000_000

    /// Has libcurl close a connection that is shut down.
    func discard(_ link: Link) {
        discarded.append(link)
        pruningTime = min(pruningTime, Monotonic.now)
    }

    /// Adds the transfer that makes libcurl look for dead connections, if it is time for that.
    func beginPruning() -> EasyHandle? {
        guard pruningTime != .max, case let now = Monotonic.now, pruningTime <= now else { return nil }
        pruningTime = now + Self.pruningPause
        guard let easy = EasyHandle() else { return nil }
        easy.set(CURLOPT_URL, "http://127.0.0.1:1/")
        easy.set(CURLOPT_PROXY, "")
        easy.set(CURLOPT_NOSIGNAL, true)
        easy.set(CURLOPT_FRESH_CONNECT, true)
        easy.set(CURLOPT_MAXAGE_CONN, engine.configuration.idleSeconds)
        easy.setOpenSocket { _, _, _ in CURL_SOCKET_BAD }
        guard multi.add(easy) == CURLM_OK else { return nil }
        return easy
    }

    /// Removes the transfer, and forgets the next attempt unless one is needed.
    func endPruning(_ easy: EasyHandle?) {
        guard let easy else { return }
        multi.remove(easy)
        discarded.removeAll { engine.links[$0.descriptor] !== $0 }
        if discarded.isEmpty { pruningTime = .max }
    }
}

extension Link {
    /// Shuts down both directions and discards received bytes, so that libcurl sees that the connection is dead.
    fileprivate func shutDown() {
        shutdown(descriptor, Int32(SHUT_RDWR))
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { scratch in
            for _ in 0..<256 {
                guard recv(descriptor, scratch.baseAddress, scratch.count, Int32(MSG_DONTWAIT)) > 0 else { return }
            }
        }
    }
}
