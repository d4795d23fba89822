public import AirframeHAR
public import AirframeTransport
public import FoundationEssentials
internal import Synchronization

/// A layer that records the exchanges of the transport beneath in an HTTP archive (HAR 1.2), or replays an archive
/// instead.
///
/// ```swift
/// // The first run records, the following ones need no network.
/// let fixture = try RecordingTransport(CurlTransport(), file: file, mode: .recordIfMissing)
/// let session = Session(transport: fixture)
/// …
/// try fixture.finish()
/// ```
///
/// It records exchanges as they are on the wire: redirects, challenges, heads, bodies, trailers, timings and failures.
/// Bodies pass at the pace of their reader, and cancellation works as without the layer.
///
/// An archive holds decoded content, and this layer decodes none: over an engine it records coded content as it is,
/// says so in the archive, and ``HARTransport`` replays it coded. Put it over a `ContentDecodingLayer` for an archive
/// that other tools can read. Secrets are hidden by the options' policy. Of an upgrade
/// the handshake is recorded, not the bytes of its stream.
public final class RecordingTransport: TransportLayer {
    /// The condition for recording.
    public enum Mode: Sendable, Hashable {
        /// Always. An existing archive is replaced.
        case record
        /// If there is no archive. ``RecordingTransport/finish()`` gives the new one its name, so that a test that
        /// fails half-way leaves no incomplete archive. An existing archive is replayed, and nothing is sent to the
        /// network.
        case recordIfMissing
        /// Never. The archive must exist.
        case replay
    }

    private enum Role: Sendable {
        case collecting
        case writing(HAR.Writer, to: URL)
        case replaying(HARTransport)
    }

    private struct Recording: Sendable {
        var entries: [HAR.Entry] = []
        var failure: HAR.WritingError?
        var isFinished = false
    }

    /// The transport beneath.
    public let base: any Transport

    /// The limits of recorded bodies, and the secrets to redact.
    public let options: HAR.RecordingOptions

    private let role: Role
    private let page: HAR.Page
    // Guards the entries. Files are written without it.
    private let recording = Mutex(Recording())

    /// Creates a layer that collects an archive in memory; see ``log``.
    ///
    /// - Parameters:
    ///   - base: The transport to send through.
    ///   - options: What is kept, and what is redacted.
    public init(_ base: any Transport, options: HAR.RecordingOptions = HAR.RecordingOptions()) {
        self.base = base
        self.options = options
        role = .collecting
        page = Self.page(of: base)
    }

    /// Creates a layer that writes an archive to a file while it records, or replays the existing one.
    ///
    /// - Parameters:
    ///   - base: The transport to send through.
    ///   - file: The file. Only the owner can read a new one.
    ///   - mode: The condition for recording.
    ///   - options: What is kept, and what is redacted.
    ///   - replay: The settings of a replay.
    /// - Throws: ``HAR/ReadingError`` if the archive cannot be read, ``HAR/WritingError`` if it cannot be created.
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

    /// The replaying transport, if nothing is recorded, with its history and ``HARTransport/verify()``.
    public var replaying: HARTransport? {
        if case .replaying(let transport) = role { transport } else { nil }
    }

    /// The archive so far, if it is recorded in memory. A recording to a file has no entries here.
    public var log: HAR.Log { HAR.Log(pages: [page], entries: recording.withLock { $0.entries }) }

    /// The clock of the transport that answers.
    public var clock: any TransportClock { replaying?.clock ?? base.clock }

    /// The capabilities of the transport beneath. A replayed archive has no streams, so it cannot upgrade.
    public var capabilities: TransportCapabilities {
        var capabilities = base.capabilities
        if replaying != nil { capabilities.features.remove(.upgrade) }
        return capabilities
    }

    /// Sends `request` through the transport beneath and records the exchange, or answers it from the archive.
    ///
    /// - Throws: The errors of the transport beneath, which are recorded, too; when replaying, those of
    ///   ``HARTransport/send(_:)``.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        if let replaying { return try await replaying.send(request) }
        return try await RecordedExchange(request, on: self).send(request)
    }

    /// Closes the archive's file and gives it its name. Exchanges that end later are not recorded. A second call, or a
    /// call without a file, has no effect.
    ///
    /// - Throws: ``HAR/WritingError`` if not everything could be written.
    public func finish() throws(HAR.WritingError) {
        guard case .writing(let writer, let file) = role else { return }
        let (isFirst, failure) = recording.withLock { recording in
            defer { recording.isFinished = true }
            return (!recording.isFinished, recording.failure)
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
        // A caller that needs the error of closing calls `finish()` first.
        try? finish()
    }

    // MARK: Entries

    func add(_ record: HAR.ExchangeRecord?) {
        guard let record else { return }
        let entry = record.entry(options, clock: base.clock, page: page.id)
        switch role {
        case .collecting: recording.withLock { $0.entries.append(entry) }
        case .replaying: break
        case .writing(let writer, _):
            guard recording.withLock({ !$0.isFinished && $0.failure == nil }) else { return }
            do throws(HAR.WritingError) {
                try writer.append(entry)
            } catch {
                recording.withLock { $0.failure = $0.isFinished ? nil : $0.failure ?? error }
            }
        }
    }
}
