public import AirframeHAR
public import AirframeTransport
public import FoundationEssentials
internal import HTTPTypes

/// An engine that answers from an HTTP archive (HAR 1.2): what was recorded once is replayed without a network.
///
/// ```swift
/// let transport = try HARTransport(contentsOf: URL(filePath: "Fixtures/checkout.har"))
/// let session = Session(transport: transport)
/// ```
///
/// Archives of ``RecordingTransport``, of `HARRecorder`, of browsers and of proxies will do. A redirect is an entry of
/// its own, which the session follows to the next. An entry that failed (status 0) fails again: in the phase and with
/// the code that Airframe wrote, or by the words that browsers use. What a recorder hid matches anything. Content is
/// replayed decoded, as archives hold it, and the head does not claim a coding; ``TransportResponse/receivedHead`` has
/// the recorded one.
///
/// Archives hold no certificates: a request's ``TrustEvaluation`` is not asked, and a refusal that was recorded happens
/// again.
///
/// A request that matches no entry fails with ``TransportError/Code/unmatchedRequest`` and its difference from the
/// nearest one; nothing goes to the network.
public final class HARTransport: Transport {
    /// How the archive is replayed.
    public let configuration: Configuration

    private let mock: MockTransport
    private let book: ReplayBook

    /// Replays an archive.
    ///
    /// - Parameters:
    ///   - log: The archive.
    ///   - configuration: How to replay it.
    /// - Throws: ``HAR/ReadingError`` when the content of an entry cannot be decoded.
    public init(_ log: HAR.Log, configuration: Configuration = Configuration()) throws(HAR.ReadingError) {
        self.configuration = configuration
        book = try ReplayBook(log.entries, configuration)
        var engine = MockTransport.Configuration(clock: configuration.clock)
        engine.engine = "HAR"
        // The recorded engine supported everything that its requests asked for. Archives hold no streams.
        engine.features = .mock.union([.http3, .connectivityWait]).subtracting(.upgrade)
        engine.contentCodings = configuration.contentCodings
        mock = MockTransport(configuration: engine, replaying: book)
    }

    /// Replays an archive from a file.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - configuration: How to replay it.
    /// - Throws: ``HAR/ReadingError`` when the file cannot be read; it names the entry and the field.
    public convenience init(
        contentsOf file: URL,
        configuration: Configuration = Configuration()
    ) throws(HAR.ReadingError) {
        try self.init(HAR.Log(contentsOf: file), configuration: configuration)
    }

    /// Everything that engines can do: what a request asked for is past.
    public var capabilities: TransportCapabilities { mock.capabilities }

    /// The configuration's clock.
    public var clock: any TransportClock { mock.clock }

    /// The configuration's clock, to be moved by hand.
    public var virtualClock: VirtualClock { configuration.clock }

    /// Answers `request` by the entry that matches it.
    ///
    /// - Throws: What the entry's failure, a limit, the deadline or cancellation makes of it;
    ///   ``TransportError/Code/unmatchedRequest`` when there is no entry.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        var request = request
        request.trust = nil
        request.security = nil
        return try await mock.send(request)
    }

    /// Lets what is in flight end. Requests that come later are refused.
    public func shutdown() async { await mock.shutdown() }
}

// MARK: History

extension HARTransport {
    /// All requests so far, in the order in which they came.
    public var requests: [RecordedRequest] { mock.requests }

    /// The last request.
    public var lastRequest: RecordedRequest? { mock.lastRequest }

    /// The requests that no entry matched, each with its difference from the nearest one.
    public var unmatchedReports: [String] { book.unmatchedReports }

    /// The entries that answered no request, in their order.
    public var unusedEntries: [HAR.Entry] { book.unusedEntries }

    /// Checks at the end of a test that it went as recorded.
    ///
    /// - Throws: ``MockVerificationError`` when an entry was not asked for, or a request was that no entry matches.
    public func verify() throws(MockVerificationError) {
        let unused = book.unusedNames.map { "\($0) was not asked for" }
        let failures = unused + unmatchedReports
        if !failures.isEmpty { throw MockVerificationError(failures: failures) }
    }
}
