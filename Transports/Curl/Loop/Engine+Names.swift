internal import AirframeTransport
internal import AirframeWire
internal import CCurl
internal import Glibc

/// The lookup of names, and the addresses that libcurl gets for them.
extension Engine {
    /// Removes a transfer from libcurl until its names have been resolved.
    func lookUpNames(of transfer: Transfer) {
        transfer.awaitsNames = false
        transfer.easy.forgetMessage()
        transfer.context.multi.remove(transfer.easy)
        transfer.foundAddresses = [:]
        transfer.failedLookups = [:]
        for host in Set(transfer.plan.lookedUpNames.map(\.host)) {
            if let lookup = names.wait(for: host, transfer.id) { wakeUp(.lookUp(lookup)) }
        }
    }

    /// Takes the resolver's answer.
    func answer(_ lookup: NameLookup, _ answer: Result<[String], any Error>) {
        let waiting = names.finish(lookup)
        let addresses = (try? answer.get())?.filter { IPAddress(String($0.prefix { $0 != "%" })) != nil } ?? []
        if !addresses.isEmpty { names.note(addresses, of: lookup.host) }
        for id in waiting {
            guard let transfer = transfers[id] else { continue }
            if addresses.isEmpty {
                transfer.failedLookups[lookup.host] = answer
            } else {
                transfer.foundAddresses[lookup.host] = addresses
            }
            if let failed = transfer.failedLookup {
                end(transfer) { .failure($0.resolutionError(of: failed.host, failed.answer)) }
            } else if transfer.takeAddresses() {
                add(transfer)
            }
        }
    }

    /// Removes a transfer that has ended from the waiters for its names.
    func leaveNames(_ transfer: Transfer) {
        guard transfer.stage == .resolve else { return }
        for name in transfer.plan.lookedUpNames { names.leave(name.host, transfer.id) }
    }

    // MARK: Silent addresses

    /// Aborts attempts to connect that got no response, if libcurl has another address to try.
    func giveUpSilentAttempts(of transfer: Transfer, now: Int64) {
        for link in transfer.attempts where link.givenUpAt <= now && !link.isConnected && !link.hasPeer {
            guard !link.isGivenUp, links[link.descriptor] === link else { continue }
            link.isGivenUp = true
            // The socket then has an error, which makes libcurl try the next address.
            shutdown(link.descriptor, Int32(SHUT_RDWR))
        }
    }

    /// Has libcurl connect to the next address of transfers whose last attempt has failed. libcurl 7.88 prepares the
    /// attempt and then waits for an event, which does not occur after the last address of a family.
    func tryNextAddresses() {
        let ids = toReconnect
        toReconnect.removeAll(keepingCapacity: true)
        for transfer in ids.compactMap({ transfers[$0] }) where transfer.stage == .connect {
            // Changing the pause twice makes libcurl look at the transfer again.
            transfer.easy.pause(CURLPAUSE_SEND)
            transfer.easy.pause(CURLPAUSE_CONT)
        }
    }

    /// Schedules the end of an attempt to connect that gets no response.
    func giveUpLater(_ link: Link, of transfer: Transfer) {
        link.givenUpAt = Monotonic.now + AddressLanes.patience.wholeNanoseconds
        timers.insert(TimerQueue.Entry(due: link.givenUpAt, exchange: transfer.id))
    }
}

extension Transfer {
    /// Whether libcurl may look up a name that is not in its cache.
    func needAddress() -> Bool {
        guard beginAuthenticationRound(), !refusesRetry() else { return false }
        // libcurl is about to send the request again, over a new connection.
        if stage.hasSent { enter(.pool) }
        let isAtStart = stage <= .resolve
        beginResolving()
        guard isAtStart, !plan.lookedUpNames.isEmpty else { return true }
        // Addresses that were given a moment ago are in libcurl's cache, unless libcurl changes the form of the name.
        if let givenAt = addressesGivenAt, Monotonic.now < givenAt + 30_000_000_000 { return true }
        awaitsNames = true
        return false
    }

    /// The lookup that ends the transfer: the first in the order of connecting, whichever answer came first. `nil`
    /// while an earlier name is being looked up.
    var failedLookup: (host: String, answer: Result<[String], any Error>)? {
        guard let first = plan.lookedUpNames.first(where: { foundAddresses[$0.host] == nil }) else { return nil }
        return failedLookups[first.host].map { (first.host, $0) }
    }

    /// Hands the addresses of all names to libcurl. Returns `false` if some are still being looked up.
    func takeAddresses() -> Bool {
        let names = plan.lookedUpNames
        guard names.allSatisfy({ foundAddresses[$0.host] != nil }) else { return false }
        let list = HeaderList()
        for (index, name) in names.enumerated() {
            let addresses = foundAddresses[name.host] ?? []
            // libcurl passes the first address of the second name to SOCKS proxies.
            let entries = index == 0 ? AddressLanes.split(addresses) : addresses
            // The plus sign lets the addresses expire after a minute, as libcurl's own do.
            list.append("+\(name.host):\(name.port):\(AddressLanes.list(entries))")
        }
        addressList = list
        addressesGivenAt = Monotonic.now
        easy.set(CURLOPT_RESOLVE, list: list)
        if let first = names.first { emit(.resolveFinished(addresses: foundAddresses[first.host] ?? [])) }
        hasResolved = true
        return true
    }

    /// Returns the error for a name without an address.
    func resolutionError(of host: String, _ answer: Result<[String], any Error>) -> TransportError {
        var cause: (any Error)?
        if case .failure(let error) = answer { cause = error }
        let isProxy = plan.route.proxy?.host == host
        return TransportError(
            isProxy ? .proxyFailed : .nameResolutionFailed,
            phase: isProxy ? .proxy : .resolve,
            processing: .notSent,
            message: isProxy ? "the proxy's name (\(host)) has no address" : "the name \(host) has no address",
            origin: plan.origin,
            libraryMessage: cause.map { ($0 as? NameResolutionError)?.message ?? "\($0)" },
            underlying: cause
        )
    }
}
