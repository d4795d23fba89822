public import AirframeTransport
public import HTTPTypes
internal import Synchronization

/// A transport that answers with a closure and records its requests.
public final class ScriptedTransport: Transport {
    private let transport: ClosureTransport
    // Guards the requests so far.
    private let sent = Mutex<[TransportRequest]>([])
    // Guards how often it was shut down.
    private let shutdowns = Mutex(0)

    /// Creates a transport; it has every feature unless `features` are given.
    public init(
        engine: String = "scripted",
        features: TransportFeatures = .all,
        clock: any TransportClock = SystemClock.shared,
        _ answer: @escaping ClosureTransport.Answer
    ) {
        transport = ClosureTransport(engine: engine, features: features, clock: clock, answer)
    }

    /// The engine's name and its features.
    public var capabilities: TransportCapabilities { transport.capabilities }

    /// The clock.
    public var clock: any TransportClock { transport.clock }

    /// The requests that were accepted so far, in order, with trust and identity for their origins.
    public var requests: [TransportRequest] { sent.withLock { $0 } }

    /// The heads of ``requests``.
    public var heads: [HTTPRequest] { requests.map(\.head) }

    /// How often the transport was shut down.
    public var shutdownCount: Int { shutdowns.withLock { $0 } }

    /// Answers with the closure.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        var request = request
        do throws(TransportError) {
            try capabilities.accept(&request, on: clock)
        } catch {
            throw request.failed(error, on: clock)
        }
        sent.withLock { [request] in $0.append(request) }
        return try await transport.send(request)
    }

    /// Counts.
    public func shutdown() async { shutdowns.withLock { $0 += 1 } }
}
