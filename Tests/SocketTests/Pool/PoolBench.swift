import AirframeTransport
import AirframeWire
import Glibc
import HTTPTypes
import Synchronization

@testable import AirframeSocket

/// A pool, with unconnected connections.
struct PoolBench {
    let pool: ConnectionPool
    private let reactor: Reactor
    private let destinations = DestinationTable(EnvironmentProxies())

    init(_ change: (inout PoolLimits) -> Void = { _ in }) throws {
        var limits = PoolLimits()
        change(&limits)
        pool = ConnectionPool(limits)
        reactor = try Reactor()
    }

    /// Lets idle connections expire, until the pool's alarm is removed.
    func setAlarm() { pool.setAlarm(reactor) }

    // MARK: Asking

    private func key(_ url: String) -> PoolKey? {
        let authority = String(url.dropFirst("http://".count))
        let head = HTTPRequest(method: .get, scheme: "http", authority: authority, path: "/")
        guard let destination = try? destinations.destination(of: head) else { return nil }
        return PoolKey(destination: destination, variant: nil)
    }

    private func ask(_ url: String, _ isMultiplexing: Bool) -> (PoolEntry, ConnectionPool.Answer)? {
        key(url).map { pool.ask($0, isMultiplexing: isMultiplexing) }
    }

    func lacksRoom(_ url: String = "http://api.test") -> Bool {
        guard let key = key(url) else { return false }
        return pool.entryWithoutRoom(key) != nil
    }

    func askForPermit(_ url: String = "http://api.test", isMultiplexing: Bool = true) -> PoolEntry? {
        if let (entry, answer) = ask(url, isMultiplexing), case .granted(.permit) = answer { entry } else { nil }
    }

    func askForPlace(_ url: String = "http://api.test", isMultiplexing: Bool = true) -> PoolWaiter? {
        if case .wait(let waiter) = ask(url, isMultiplexing)?.1 { waiter } else { nil }
    }

    func askForStream() -> Connection? {
        if case .granted(.stream(let connection)) = ask("http://api.test", true)?.1 { connection } else { nil }
    }

    func isPermit(_ waiter: PoolWaiter) -> Bool {
        if case .permit = waiter.takeGrant() { true } else { false }
    }

    func isStream(_ waiter: PoolWaiter, of connection: Connection) -> Bool {
        if case .stream(let granted) = waiter.takeGrant() { granted === connection } else { false }
    }

    // MARK: Connections

    @discardableResult
    func add(to entry: PoolEntry, capacity: Int) -> Connection { add(to: entry, FakeCarrier(capacity: capacity)) }

    @discardableResult
    func add(to entry: PoolEntry, _ carrier: FakeCarrier) -> Connection {
        add(to: entry) { _ in .multiple(carrier) }
    }

    @discardableResult
    func addSingle(to entry: PoolEntry) -> Connection {
        add(to: entry) { bytes in
            .single(
                HTTP1Stream(
                    bytes,
                    origin: entry.key.destination.origin,
                    limits: HTTP1Limits(),
                    heads: entry.heads,
                    buffers: BufferPool()
                )
            )
        }
    }

    private func add(to entry: PoolEntry, _ carrier: (ByteStream) -> Connection.Carrier) -> Connection {
        let descriptor = Descriptor(socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
        let bytes = ByteStream(socket: Socket(descriptor, reactor), tls: nil)
        let connection = Connection(
            bytes,
            of: entry,
            information: TransportConnection(id: 1, httpVersion: .http2),
            carrier: carrier(bytes)
        )
        pool.add(connection)
        return connection
    }
}

/// A carrier controlled by the test.
final class FakeCarrier: StreamCarrier {
    let capacity: Int
    let usable = Atomic(true)
    private let retired = Atomic(false)
    private let handler = Mutex<(@Sendable (CarrierChange) -> Void)?>(nil)

    init(capacity: Int) { self.capacity = capacity }

    func start(_ report: @escaping @Sendable (CarrierChange) -> Void) { handler.withLock { $0 = report } }

    func report(_ change: CarrierChange) { handler.withLock { $0 }?(change) }

    var isUsable: Bool { usable.load(ordering: .relaxed) }

    var allowsExtendedConnect: Bool { true }

    var hasSettings: Bool { true }

    nonisolated(nonsending) func waitForSettings(_ waiter: SettingsWaiter) async {}

    func claims(_ origin: Origin) -> Bool { true }

    func openStream(for origin: Origin) -> (any MessageStream)? { nil }

    func openFirstStream(for origin: Origin) -> (any MessageStream)? { nil }

    var isRetired: Bool { retired.load(ordering: .relaxed) }

    func retire() { retired.store(true, ordering: .relaxed) }
}
