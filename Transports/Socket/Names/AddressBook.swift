internal import AirframeTransport
internal import AirframeWire
internal import Synchronization

/// A cache of host addresses, with the lookups in progress.
final class AddressBook: Sendable {
    private struct Entry {
        let addresses: [IPAddress]
        let end: Int64
    }

    private struct Contents {
        var entries: [String: Entry] = [:]
        /// Lookups in progress. Requests for the same name share one.
        var lookups: [String: Lookup] = [:]
        var lastLookup: UInt64 = 0
    }

    private struct Lookup {
        let id: UInt64
        let task: Task<[IPAddress], any Error>
        var waiterCount = 1
    }

    private static let capacity = 1024

    private let resolver: any NameResolver
    private let age: Int64
    // Guards the cached addresses and the lookups.
    private let contents = Mutex(Contents())

    init(_ configuration: SocketTransport.Configuration) {
        resolver = configuration.resolver
        age = configuration.addressAge.wholeNanoseconds
    }

    /// Returns the cached addresses of `host`; `nil` if it must be resolved.
    func known(_ host: String) -> [IPAddress]? {
        contents.withLock { contents in
            guard let entry = contents.entries[host], entry.end > Monotonic.now else { return nil }
            return entry.addresses
        }
    }

    /// Resolves `host`. The resolver's task is cancelled when all of its callers have been cancelled.
    func resolve(_ host: String) async throws -> [IPAddress] {
        let lookup = contents.withLock { contents in
            if let open = contents.lookups[host] {
                contents.lookups[host]?.waiterCount += 1
                return open
            }
            contents.lastLookup += 1
            let id = contents.lastLookup
            let lookup = Lookup(id: id, task: Task { try await self.lookUp(host, id) })
            contents.lookups[host] = lookup
            return lookup
        }
        return try await withTaskCancellationHandler {
            try await lookup.task.value
        } onCancel: {
            leave(host, lookup.id)
        }
    }

    /// Removes `host` from the cache, after none of its addresses could be connected to in time.
    func forget(_ host: String) { contents.withLock { $0.entries[host] = nil } }

    private func leave(_ host: String, _ id: UInt64) {
        let abandoned = contents.withLock { contents -> Lookup? in
            guard var lookup = contents.lookups[host], lookup.id == id else { return nil }
            lookup.waiterCount -= 1
            contents.lookups[host] = lookup.waiterCount == 0 ? nil : lookup
            return lookup.waiterCount == 0 ? lookup : nil
        }
        abandoned?.task.cancel()
    }

    private func lookUp(_ host: String, _ id: UInt64) async throws -> [IPAddress] {
        defer {
            contents.withLock { contents in
                if contents.lookups[host]?.id == id { contents.lookups[host] = nil }
            }
        }
        let addresses = try await resolver.addresses(of: host).compactMap { IPAddress($0) }
        guard !addresses.isEmpty else { throw NameResolutionError(host: host, message: "the name has no address") }
        if age > 0 { keep(addresses, of: host) }
        return addresses
    }

    private func keep(_ addresses: [IPAddress], of host: String) {
        let now = Monotonic.now
        contents.withLock { contents in
            if contents.entries.count >= Self.capacity {
                contents.entries = contents.entries.filter { $0.value.end > now }
                if contents.entries.count >= Self.capacity { contents.entries.removeAll() }
            }
            contents.entries[host] = Entry(addresses: addresses, end: Monotonic.sum(now, age))
        }
    }
}
