internal import AirframeTransport
internal import CCurl
internal import Glibc
internal import HTTPTypes

/// Sockets, and trust in their peers.
extension Engine {
    /// Watches a socket for the events that libcurl names.
    func watch(_ descriptor: Int32, action: Int32, easy: UnsafeMutableRawPointer?, context: Context) {
        let link = links[descriptor]
        watch.want(action, of: descriptor, context: context.number, isKept: link != nil, poller: poller)
        guard let link, !link.isConnected, let transfer = Transfer.of(easy.flatMap { EasyHandle.owner(of: $0) }) else {
            return
        }
        transfer.noteSocket(descriptor, action: action)
    }

    func closeSocket(_ descriptor: Int32) -> Int32 {
        watch.drop(descriptor, poller: poller)
        if let link = links.close(descriptor), let opener = transfers[link.opener] {
            if !link.isConnected { opener.noteFailedConnect(link) }
            opener.noteClosed(link)
        }
        return close(descriptor)
    }

    /// Returns the fate of the connection of an exchange that has ended.
    func fate(of link: Link?, after head: HTTPResponse?) -> TransportEvent.ConnectionFate {
        guard let link else { return .unknown }
        if links[link.descriptor] === link { return .kept }
        let asked = head?.headerFields[.connection]?.lowercased().contains("close") ?? false
        return .closed(reason: asked ? "the server closes it" : "it cannot be reused")
    }

    // MARK: Trust

    func nextHandshakeNumber() -> UInt64 {
        lastHandshake += 1
        return lastHandshake
    }

    func ask(_ question: TrustQuestion) {
        transfers[question.exchange]?.question = question
        wakeUp(.ask(question))
    }

    func answer(_ id: ExchangeID, _ handshake: UInt64, _ refusal: (any Error)?) {
        guard let transfer = transfers[id], let current = transfer.handshake, current.number == handshake else {
            return
        }
        current.answer(refusal)
        transfer.question = nil
        // No socket has become ready. Changing the pause twice makes libcurl look at the transfer again.
        transfer.easy.pause(CURLPAUSE_SEND)
        transfer.easy.pause(CURLPAUSE_CONT)
    }

    // MARK: Backpressure

    func unpauseLater(_ transfer: Transfer) { toUnpause.append(transfer.id) }

    /// Resumes an upload whose source has delivered bytes or its end. The limit on sending does not count the source's
    /// pause.
    func resumeSending(_ id: ExchangeID) {
        guard let transfer = transfers[id] else { return }
        transfer.restartWriteIdle()
        transfer.applyPause()
    }

    /// Resumes a transfer whose reader has made room.
    func unpause(_ id: ExchangeID) {
        guard let transfer = transfers[id] else { return }
        transfer.restartReadIdle()
        transfer.isPaused = false
        transfer.applyPause()
    }
}
