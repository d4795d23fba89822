internal import Foundation

/// The servers that run during the tests: see Tests/Peers/README.md.
public struct Peers: Sendable {
    private let values: [String: String]

    /// The peers that `AIRFRAME_PEERS` describes, or `nil` when none run.
    public static let running = try? Peers(path: ProcessInfo.processInfo.environment["AIRFRAME_PEERS"] ?? "")

    /// Whether tests of peers are to run: where there are peers, and on CI, where their absence is a failure.
    public static let areExpected = running != nil || ProcessInfo.processInfo.environment["CI"] == "true"

    /// The running peers.
    ///
    /// - Throws: ``MissingPeer`` when there are none.
    public static func required() throws -> Peers {
        guard let running else { throw MissingPeer(name: "AIRFRAME_PEERS") }
        return running
    }

    private init(path: String) throws {
        let object = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path)))
        values = (object as? [String: Any] ?? [:]).mapValues { "\($0)" }
    }

    /// The port of a peer.
    public func port(_ name: String) throws -> Int {
        guard let port = values[name].flatMap({ Int($0) }) else { throw MissingPeer(name: name) }
        return port
    }

    /// A path that the peers' description names.
    public func path(_ name: String) throws -> String {
        guard let path = values[name] else { throw MissingPeer(name: name) }
        return path
    }

    /// The origin of a peer that speaks HTTP in the clear.
    public func http(_ name: String = "http") throws -> String { "http://127.0.0.1:\(try port(name))" }

    /// The origin of a peer that speaks HTTP over TLS.
    public func https(_ name: String = "https") throws -> String { "https://localhost:\(try port(name))" }
}

/// A peer that a test needs and that does not run.
public struct MissingPeer: Error, CustomStringConvertible {
    /// The peer's key.
    public let name: String

    /// How to get it.
    public var description: String { "the peer \(name) does not run: start the tests with `make test`" }
}
