public import AirframeHAR
public import AirframeTransport
public import FoundationEssentials
internal import Synchronization

/// A layer that makes an HTTP archive (HAR 1.2) of what goes over the transport beneath, or replays one in its place.
///
/// ```swift
/// // The first run records, the following ones need no network.
/// let fixture = try RecordingTransport(CurlTransport(), file: file, mode: .recordIfMissing)
/// let session = Session(transport: fixture)
/// …
/// try fixture.finish()
/// ```
///
/// It sees what is on the wire: each exchange with its redirect or challenge, heads, bodies as they pass, trailers,
/// timings and failures. Bodies pass at the pace of their reader, and cancelling ends an exchange as it does without
/// the layer.
///
/// An archive holds decoded content, and this layer decodes none: over an engine it records coded content as it is,
/// says so in the archive, and ``HARTransport`` replays it coded. Put it over a `ContentDecodingLayer` for an archive
/// that other tools can read. Secrets are hidden by the options' policy. Of an upgrade
/// the handshake is recorded, not the bytes of its stream.
public final class RecordingTransport: TransportLayer {
    /// When to record.
    public enum Mode: Sendable, Hashable {
        /// Each time; an archive that is there is lost.
        case record
        /// When there is no archive. It gets its name with ``RecordingTransport/finish()``, so that a test that fails
        /// half-way leaves no half of one. One that is there is replayed, and nothing goes to the network.
        case recordIfMissing
        /// Never: the archive must be there.
        case replay
    }

    private enum Role: Sendable {
        case collecting
        case writing(HAR.Writer, to: URL)
        case replaying(HARTransport)
    }

    private struct State: Sendable {
        var entries: [HAR.Entry] = []
        var failure: HAR.WritingError?
        var isFinished = false
    }

    /// The transport beneath.
    public let base: any Transport

    /// What is kept, and what hidden.
    public let options: HAR.RecordingOptions

    private let role: Role
    private let page: HAR.Page
    // Guards the entries so far. Files are written without it.
    private let state = Mutex(State())

    /// Collects an archive in memory; see ``log``.
    ///
    /// - Parameters:
    ///   - base: The transport to send through.
    ///   - options: What to keep, and what to hide.
    public init(_ base: any Transport, options: HAR.RecordingOptions = HAR.RecordingOptions()) {
        self.base = base
        self.options = options
        role = .collecting
        page = Self.page(of: base)
    }

    /// Writes an archive to a file while it records, or replays the one that is there.
    ///
    /// - Parameters:
    ///   - base: The transport to send through.
    ///   - file: The file. Only its owner can read one that is made.
    ///   - mode: When to record.
    ///   - options: What to keep, and what to hide.
    ///   - replay: How to replay.
    /// - Throws: ``HAR/ReadingError`` when the archive cannot be read, ``HAR/WritingError`` when it cannot be made.
    public init(
        _ base: any Transport,
        file: URL,
        mode: Mode = .record,
        options: HAR.RecordingOptions = HAR.RecordingOptions(),
        replay: HARTransport.Configuration = HARTransport.Configuration()
    ) throws {
        self.base = base
        self.options = options
        page = Self.page(of: base)
        let isThere = FileManager.default.fileExists(atPath: file.path)
        let log = HAR.Log(pages: [page])
        switch mode {
        case .record: role = .writing(try HAR.Writer(file: file, log: log), to: file)
        case .recordIfMissing where !isThere:
            let draft = file.appendingPathExtension("partial")
            role = .writing(try HAR.Writer(file: draft, log: log), to: file)
        case .recordIfMissing, .replay: role = .replaying(try HARTransport(contentsOf: file, configuration: replay))
        }
    }

    private static func page(of base: any Transport) -> HAR.Page {
        let now = base.clock.date(at: base.clock.now)
        return HAR.Page(startedDateTime: now, id: "page_1", title: base.capabilities.engine)
    }

    /// What replays, if nothing is recorded: for its history and ``HARTransport/verify()``.
    public var replaying: HARTransport? {
        if case .replaying(let transport) = role { transport } else { nil }
    }

    /// The archive so far, of a recording in memory; one that goes to a file has no entries here.
    public var log: HAR.Log { HAR.Log(pages: [page], entries: state.withLock { $0.entries }) }

    /// The clock of what answers.
    public var clock: any TransportClock { replaying?.clock ?? base.clock }

    /// The capabilities of the transport beneath. A replayed archive has no streams, so it cannot upgrade.
    public var capabilities: TransportCapabilities {
        var capabilities = base.capabilities
        if replaying != nil { capabilities.features.remove(.upgrade) }
        return capabilities
    }

    /// Sends `request` through the transport beneath and notes what happens, or answers it from the archive.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        if let replaying { return try await replaying.send(request) }
        return try await RecordedExchange(request, on: self).send(request)
    }

    /// Closes the archive's file, and gives it its name. Exchanges that end later are not recorded. Calling it again,
    /// or where nothing goes to a file, does nothing.
    ///
    /// - Throws: ``HAR/WritingError`` when not everything could be written.
    public func finish() throws(HAR.WritingError) {
        guard case .writing(let writer, let file) = role else { return }
        let (isFirst, failure) = state.withLock { state in
            defer { state.isFinished = true }
            return (!state.isFinished, state.failure)
        }
        guard isFirst else { return }
        try writer.close()
        if let failure { throw failure }
        try writer.rename(to: file)
    }

    /// Shuts down the transport beneath, and closes the archive as ``finish()`` does.
    public func shutdown() async {
        await base.shutdown()
        await replaying?.shutdown()
        // Who wants to know whether that went well calls `finish()` first.
        try? finish()
    }

    // MARK: Entries

    func add(_ record: HAR.ExchangeRecord?) {
        guard let record else { return }
        let entry = record.entry(options, clock: base.clock, page: page.id)
        switch role {
        case .collecting: state.withLock { $0.entries.append(entry) }
        case .replaying: break
        case .writing(let writer, _):
            guard state.withLock({ !$0.isFinished && $0.failure == nil }) else { return }
            do throws(HAR.WritingError) {
                try writer.append(entry)
            } catch {
                state.withLock { $0.failure = $0.isFinished ? nil : $0.failure ?? error }
            }
        }
    }
}
