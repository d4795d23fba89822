internal import Glibc
internal import Synchronization

/// The addresses of a host's name, looked up off the watching thread: a silent name server delays a lookup by many
/// seconds.
final class HostResolver: Sendable {
    /// The state of the lookup.
    enum Answer: Sendable, Hashable {
        case unknown
        case addresses([IPAddress])
        case notFound
    }

    private struct Lookup {
        var answer = Answer.unknown
        var isRunning = false
        var mustRunAgain = false
    }

    /// The name, or the address.
    let name: String
    private let isLiteral: Bool
    // Guards the result and whether a lookup runs.
    private let lookup: Mutex<Lookup>
    private let wake: WakeUp

    init(_ name: String, wake: WakeUp) {
        self.name = name
        self.wake = wake
        let literal = Self.literal(name)
        isLiteral = literal != nil
        lookup = Mutex(Lookup(answer: literal.map { .addresses([$0]) } ?? .unknown))
    }

    /// The current result.
    var answer: Answer { lookup.withLock(\.answer) }

    /// Starts a lookup, or repeats the running one. Signals the wake-up at its end.
    ///
    /// - Parameter forgetsFailure: Whether a name that was not found counts as unknown until the lookup ends.
    func refresh(forgetsFailure: Bool = false) {
        guard !isLiteral else { return }
        let mustStart = lookup.withLock { lookup in
            if forgetsFailure, lookup.answer == .notFound { lookup.answer = .unknown }
            if lookup.isRunning { lookup.mustRunAgain = true }
            defer { lookup.isRunning = true }
            return !lookup.isRunning
        }
        guard mustStart else { return }
        let hasStarted = Thread.detach { [self] in
            repeat {
                finish(Self.resolve(name))
                wake.ring()
            } while mustGoOn()
        }
        if !hasStarted { lookup.withLock { $0.isRunning = false } }
    }

    private func finish(_ addresses: [IPAddress]) {
        lookup.withLock { lookup in
            // The network changed during the lookup, so its answer may be wrong: repeat it.
            if addresses.isEmpty, lookup.mustRunAgain { return }
            lookup.answer = addresses.isEmpty ? .notFound : .addresses(addresses)
        }
    }

    private func mustGoOn() -> Bool {
        lookup.withLock { lookup in
            lookup.isRunning = lookup.mustRunAgain
            lookup.mustRunAgain = false
            return lookup.isRunning
        }
    }

    /// The address, if the name is one, with or without the brackets of a URL.
    static func literal(_ name: String) -> IPAddress? {
        IPAddress(name.hasPrefix("[") && name.hasSuffix("]") ? String(name.dropFirst().dropLast()) : name)
    }

    /// The addresses of `name`; none when it is not found. Blocks.
    static func resolve(_ name: String) -> [IPAddress] {
        if let address = literal(name) { return [address] }
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(name, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var found: [IPAddress] = []
        for entry in sequence(first: list, next: { $0?.pointee.ai_next }) {
            guard let info = entry?.pointee, let address = address(in: info), !found.contains(address) else { continue }
            found.append(address)
        }
        return found
    }

    private static func address(in info: addrinfo) -> IPAddress? {
        guard let pointer = info.ai_addr else { return nil }
        let bytes = UnsafeRawBufferPointer(start: pointer, count: Int(info.ai_addrlen))
        // An IPv4 address follows the family and the port; in IPv6 the flow label is between them.
        switch info.ai_family {
        case AF_INET where bytes.count >= 8: return IPAddress(bytes: bytes[4..<8])
        case AF_INET6 where bytes.count >= 24: return IPAddress(bytes: bytes[8..<24])
        default: return nil
        }
    }
}
