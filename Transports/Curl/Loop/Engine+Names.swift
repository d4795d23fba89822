internal import AirframeTransport
internal import AirframeWire
internal import CCurl
internal import Glibc

/// The names that transfers need, and the addresses that libcurl gets for them.
extension Engine {
    /// Takes a transfer back from libcurl until its names are known.
    func lookUpNames(of transfer: Transfer) {
        transfer.awaitsNames = false
        transfer.easy.forgetMessage()
        transfer.context.multi.remove(transfer.easy)
        transfer.foundAddresses = [:]
        for host in Set(transfer.plan.lookedUpNames.map(\.host)) {
            if let lookup = names.wait(for: host, transfer.id) { wakeUp(.lookUp(lookup)) }
        }
    }

    /// The resolver has answered.
    func answer(_ lookup: NameLookup, _ answer: Result<[String], any Error>) {
        let waiting = names.finish(lookup)
        let addresses = (try? answer.get())?.filter { IPAddress(String($0.prefix { $0 != "%" })) != nil } ?? []
        if !addresses.isEmpty { names.note(addresses, of: lookup.host) }
        for id in waiting {
            guard let transfer = transfers[id] else { continue }
            guard !addresses.isEmpty else {
                end(transfer) { .failure($0.resolutionError(of: lookup.host, answer)) }
                continue
            }
            transfer.foundAddresses[lookup.host] = addresses
            if transfer.takeAddresses() { add(transfer) }
        }
    }

    /// A transfer is over and waits for no names.
    func leaveNames(_ transfer: Transfer) {
        guard transfer.stage == .resolve else { return }
        for name in transfer.plan.lookedUpNames { names.leave(name.host, transfer.id) }
    }

    // MARK: Silent addresses

    /// Gives up attempts to connect that got no answer, where libcurl has another address to try instead.
    func giveUpSilentAttempts(of transfer: Transfer, now: Int64) {
        for link in transfer.attempts where link.givenUpAt <= now && !link.isConnected && !link.hasPeer {
            guard !link.isGivenUp, links[link.descriptor] === link else { continue }
            link.isGivenUp = true
            // The socket then has an error, by which libcurl takes the next address.
            shutdown(link.descriptor, Int32(SHUT_RDWR))
        }
    }

    /// Has libcurl connect to the next address of transfers whose last attempt has failed. libcurl 7.88 prepares the
    /// attempt and then waits for an event, which does not come where it was the last address of its family.
    func tryNextAddresses() {
        let ids = toReconnect
        toReconnect.removeAll(keepingCapacity: true)
        for transfer in ids.compactMap({ transfers[$0] }) where transfer.stage == .connect {
            // Changing the pause twice makes libcurl look at the transfer again.
            transfer.easy.pause(CURLPAUSE_SEND)
            transfer.easy.pause(CURLPAUSE_CONT)
        }
    }

    /// Has an attempt to connect given up after a while.
    func giveUpLater(_ link: Link, of transfer: Transfer) {
        link.givenUpAt = Monotonic.now + AddressLanes.patience.wholeNanoseconds
        timers.insert(TimerQueue.Entry(due: link.givenUpAt, exchange: transfer.id))
    }
}

extension Transfer {
    /// libcurl needs an address that is not in its cache. Returns whether it may look the name up itself.
    func needAddress() -> Bool {
        guard beginAuthenticationRound(), !refusesRetry() else { return false }
        let isAtStart = stage <= .resolve
        beginResolving()
        guard isAtStart, !plan.lookedUpNames.isEmpty else { return true }
        // Addresses that were given a moment ago must be in libcurl's cache. Where they are not, the name has a form
        // that libcurl changes.
        if let givenAt = addressesGivenAt, Monotonic.now < givenAt + 30_000_000_000 { return true }
        awaitsNames = true
        return false
    }

    /// Hands the addresses of all names to libcurl; `false` when some are still looked up.
    func takeAddresses() -> Bool {
        let names = plan.lookedUpNames
        guard names.allSatisfy({ foundAddresses[$0.host] != nil }) else { return false }
        let list = HeaderList()
        for (index, name) in names.enumerated() {
            let addresses = foundAddresses[name.host] ?? []
            // SOCKS proxies get the first address of the second name.
            let entries = index == 0 ? AddressLanes.split(addresses) : addresses
            // The plus sign has libcurl forget the addresses after a minute, as it forgets its own.
            list.append("+\(name.host):\(name.port):\(AddressLanes.list(entries))")
        }
        addressList = list
        addressesGivenAt = Monotonic.now
        easy.set(CURLOPT_RESOLVE, list: list)
        if let first = names.first { emit(.resolveFinished(addresses: foundAddresses[first.host] ?? [])) }
        hasResolved = true
        return true
    }

    /// Why a name has no address.
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
