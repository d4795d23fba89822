public import AirframeHAR
public import AirframeTransport
public import FoundationEssentials
internal import HTTPTypes

/// An engine that answers from an HTTP archive (HAR 1.2), so that recorded exchanges are replayed without a network.
///
/// ```swift
/// let transport = try HARTransport(contentsOf: URL(filePath: "Fixtures/checkout.har"))
/// let session = Session(transport: transport)
/// ```
///
/// It reads archives of ``RecordingTransport``, `HARRecorder`, browsers and proxies. A redirect is a separate entry,
/// and the session follows it to the next entry. An entry that failed (status 0) fails again: in the phase and with the
/// code that Airframe wrote, or by the messages of browsers. Redacted values match anything. Content is replayed
/// decoded, as archives hold it, and the head names no coding; ``TransportResponse/receivedHead`` has the recorded one.
///
/// Archives hold no certificates. A request's ``TrustEvaluation`` is not called, and a recorded refusal is repeated.
///
/// A request that matches no entry fails with ``TransportError/Code/unmatchedRequest`` and its difference from the
/// nearest one. Nothing is sent to the network.
public final class HARTransport: Transport {
    /// The settings of the replay.
    public let configuration: Configuration

    private let mock: MockTransport
    private let book: ReplayBook

    /// Replays an archive.
    ///
    /// - Parameters:
    ///   - log: The archive.
    ///   - configuration: The settings of the replay.
    /// - Throws: ``HAR/ReadingError`` if the content of an entry cannot be decoded.
    public init(_ log: HAR.Log, configuration: Configuration = Configuration()) throws(HAR.ReadingError) {
        self.configuration = configuration
        book = try ReplayBook(log.entries, configuration)
        var engine = MockTransport.Configuration(clock: configuration.clock)
        engine.engine = "HAR"
        // The recorded engine supported all options of its requests. Archives hold no streams.
        engine.features = .mock.union([.http3, .connectivityWait]).subtracting(.upgrade)
        engine.contentCodings = configuration.contentCodings
        mock = MockTransport(configuration: engine, replaying: book)
    }

    /// Replays an archive from a file.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - configuration: The settings of the replay.
    /// - Throws: ``HAR/ReadingError`` if the file cannot be read, with the entry and the field.
    public convenience init(
        contentsOf file: URL,
        configuration: Configuration = Configuration()
    ) throws(HAR.ReadingError) {
        try self.init(HAR.Log(contentsOf: file), configuration: configuration)
    }

    /// All features: the recorded engine has supported what its requests asked for.
    public var capabilities: TransportCapabilities { mock.capabilities }

    /// The configuration's clock.
    public var clock: any TransportClock { mock.clock }

    /// The configuration's clock, which a test can move.
    public var virtualClock: VirtualClock { configuration.clock }

    /// Answers `request` by the entry that matches it.
    ///
    /// - Throws: The error of the entry, of a limit, of the deadline or of cancellation;
    ///   ``TransportError/Code/unmatchedRequest`` if no entry matches.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        var request = request
        request.trust = nil
        request.security = nil
        return try await mock.send(request)
    }

    /// Waits for exchanges in flight to end. Later requests are rejected.
    public func shutdown() async { await mock.shutdown() }
}

// MARK: History

extension HARTransport {
    /// All requests so far, in the order of their arrival.
    public var requests: [RecordedRequest] { mock.requests }

    /// The last request.
    public var lastRequest: RecordedRequest? { mock.lastRequest }

    /// The requests that no entry matched, each with its difference from the nearest one.
    public var unmatchedReports: [String] { book.unmatchedReports }

    /// The entries that answered no request, in their order.
    public var unusedEntries: [HAR.Entry] { book.unusedEntries }

    /// Checks at the end of a test that its requests were those of the archive.
    ///
    /// - Throws: ``MockVerificationError`` if an entry answered no request, or a request matched no entry.
    public func verify() throws(MockVerificationError) {
        let unused = book.unusedNames.map { "\($0) was not requested" }
        let failures = unused + unmatchedReports
        if !failures.isEmpty { throw MockVerificationError(failures: failures) }
    }
}
