import AirframeConformance
import Foundation
import Synchronization

/// A server that takes one body after the other, and can be asked how much of the last one has come.
///
/// After its first MiB it reads no further until it is told to: what a test does to an upload comes before its end.
final class CountingServer: Sendable {
    private let server: ScriptedServer
    private let counter: Counter

    /// The state that the script and the test share.
    private final class Counter: Sendable {
        let count = Atomic(0)
        let mayGoOn = DispatchSemaphore(value: 0)
    }

    init() throws {
        let counter = Counter()
        self.counter = counter
        server = try ScriptedServer { connection in
            while true {
                let head = try connection.readHead()
                let line = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length:") }
                var rest = line.flatMap { Int($0.dropFirst(15).filter(\.isNumber)) } ?? 0
                counter.count.store(0, ordering: .releasing)
                let pause = rest - (1 << 20)
                while rest > 0 {
                    if rest <= pause, counter.count.load(ordering: .acquiring) < 2 << 20 {
                        counter.mayGoOn.wait()
                        counter.mayGoOn.signal()
                    }
                    let piece = try connection.read(min(rest, 64 << 10)).count
                    rest -= piece
                    counter.count.add(piece, ordering: .releasing)
                }
                try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            }
        }
    }

    deinit {
        proceed()
        server.stop()
    }

    /// Has the server read on, now and from now on.
    func proceed() { counter.mayGoOn.signal() }

    var origin: String { server.origin }

    /// How many bytes of the body have come.
    var received: Int { counter.count.load(ordering: .acquiring) }
}
