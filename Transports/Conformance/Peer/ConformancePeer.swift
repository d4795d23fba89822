public import AirframeTransport

/// The other end of a case: something that behaves as a ``PeerScenario`` says, and can be asked what it saw.
///
/// ``RawPeer`` is one, over plain sockets. An engine that has no sockets brings its own.
public protocol ConformancePeer: AnyObject, Sendable {
    /// Host and port, as they stand in a URL.
    var authority: String { get }

    /// The connections so far, in the order in which they came.
    var connections: [PeerConnection] { get }

    /// The marks that are set and the gates that are open.
    var signals: PeerSignals { get }

    /// Called for each further transport that a case makes: a peer that lives within its transport is to serve it too.
    func adopt(_ transport: any Transport)

    /// Ends the peer and all its connections.
    func stop()
}

extension ConformancePeer {
    /// Nothing to do: a peer that is reached over the network serves every transport.
    public func adopt(_ transport: any Transport) {}

    /// All requests so far.
    public var requests: [ObservedRequest] { connections.flatMap(\.requests) }
}

/// Why a peer cannot behave as a scenario says.
public struct InexpressibleScenario: Error, CustomStringConvertible {
    /// What it cannot do.
    public let description: String

    /// Names what the peer cannot do.
    public init(_ description: String) { self.description = description }
}
