public import AirframeTransport

/// The peer of an engine in a case. It behaves as a ``PeerScenario`` says and records what it observes.
///
/// ``RawPeer`` is one over plain sockets. An engine without sockets brings its own.
public protocol ConformancePeer: AnyObject, Sendable {
    /// The host and the port, as in a URL.
    var authority: String { get }

    /// The connections so far, in the order of their arrival.
    var connections: [PeerConnection] { get }

    /// The marks that are set and the gates that are open.
    var signals: PeerSignals { get }

    /// Takes a further transport that a case creates. A peer within its transport has to serve it too.
    func adopt(_ transport: any Transport)

    /// Ends the peer and all its connections.
    func stop()
}

extension ConformancePeer {
    /// Does nothing: a peer on the network serves every transport.
    public func adopt(_ transport: any Transport) {}

    /// All requests so far.
    public var requests: [ObservedRequest] { connections.flatMap(\.requests) }
}

/// The error of a scenario that a peer cannot play.
public struct InexpressibleScenario: Error, CustomStringConvertible {
    /// The step that the peer cannot play.
    public let description: String

    /// Creates an error that names the step.
    public init(_ description: String) { self.description = description }
}
