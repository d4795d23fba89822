import Airframe
import AirframeCommandLine
import Foundation

/// One download or upload whose state is on the disk, so that a later run can resume it even if this process is killed.
///
/// The state is a separate transfer queue. A transfer that completes removes it.
struct ResumableTransfer: Sendable {
    /// The transfer, without secrets.
    let description: TransferDescription
    /// The header fields of each request. They may be secret, so they are not stored.
    let headers: HTTPHeaders
    let session: Session
    /// The monitor of the session that keeps the error of the last exchange.
    let lastError: LastExchangeError
    /// The maximum number of bytes per second; `nil` for no limit.
    let bytesPerSecond: Int64?
    /// Whether to resume what an earlier run left. Otherwise its state and its temporary file are removed.
    let resumes: Bool

    private static let resumption = "--resume continues it where it stopped"

    /// Runs the transfer to its end.
    ///
    /// - Parameters:
    ///   - reporter: Shows the progress.
    ///   - limits: The limit of `--max-time` bounds all attempts together.
    /// - Throws: ``CommandFailure``; `CancellationError` when the task is cancelled.
    func run(_ reporter: ProgressReporter, within limits: LimitOptions) async throws -> Transfer {
        do {
            return try await limits.bounding(hint: Self.resumption) {
                try await run(TransferStateFile.url(for: description), reporter)
            }
        } catch let error as TransferError {
            throw failure(error.message, error)
        }
    }

    private func run(_ state: URL, _ reporter: ProgressReporter) async throws -> Transfer {
        var configuration = TransferQueue.Configuration()
        configuration.bytesPerSecond = bytesPerSecond
        configuration.secrets = GivenHeaders(headers: headers)
        let queue = try await TransferQueue(file: state, session: session, configuration: configuration)
        let id = try await place(in: queue)
        let error = Task { [events = queue.events] in await Self.error(of: id, in: events) }
        let display = Task {
            for await progress in queue.progress(of: .ids([id]), every: .milliseconds(100)) { reporter.show(progress) }
        }
        defer {
            display.cancel()
            error.cancel()
            reporter.clear()
        }
        try await queue.runUntilIdle()
        guard let transfer = try await queue.transfer(id) else {
            throw CommandFailure("the transfer was removed from \(state.path) by another process")
        }
        guard transfer.state == .completed else {
            // Another process may have paused the transfer, or have run its last attempt: it has no event then.
            let limit = Task {
                if transfer.state == .failed { try? await Task.sleep(for: .seconds(1)) }
                error.cancel()
            }
            defer { limit.cancel() }
            throw failure(transfer.error ?? "the transfer was \(transfer.state)", await error.value)
        }
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: state.path + suffix) }
        return transfer
    }

    /// Returns the transfer to run: the one that an earlier run left, or a new one.
    private func place(in queue: TransferQueue) async throws -> TransferID {
        for left in try await queue.transfers() {
            if resumes, left.state != .completed, let stored = try await queue.description(of: left.id),
                stored.hasSameContent(as: description)
            {
                try await queue.resume(.ids([left.id]))
                try await queue.retry(.ids([left.id]))
                return left.id
            }
            try await queue.cancel(.ids([left.id]))
            try await queue.removeEnded(.ids([left.id]))
        }
        return try await queue.add(description)
    }

    private static func error(of id: TransferID, in events: AsyncStream<TransferEvent>) async -> TransferError? {
        for await event in events where event.id == id {
            switch event.kind {
            case .failed(let error): return error
            case .completed, .cancelled: return nil
            default: break
            }
        }
        return nil
    }

    /// The failure with the exit status and the hint of the exchange that failed, if one did.
    private func failure(_ words: String, _ error: TransferError?) -> CommandFailure {
        guard let error else { return CommandFailure(words, hint: Self.resumption) }
        switch error.kind {
        case .destinationExists: return CommandFailure(words, hint: "--force replaces it", status: .write)
        case .network, .refused:
            guard let exchange = lastError.value.map({ CommandFailure($0) }) else { break }
            let hint = error.kind == .refused ? exchange.hint : nil
            return CommandFailure(words, hint: hint ?? Self.resumption, status: exchange.status)
        default: break
        }
        return CommandFailure(words, hint: Self.resumption, status: Self.status(of: error))
    }

    private static func status(of error: TransferError) -> ExitStatus {
        switch error.kind {
        case .refused, .unavailable, .tooLarge: .httpError
        case .network: .connectionLost
        case .file, .noSpace, .destinationExists: .write
        case .fileChanged: .read
        default: .failure
        }
    }
}

/// The header fields of the command line, for each request of a transfer.
private struct GivenHeaders: TransferSecrets {
    let headers: HTTPHeaders

    func headers(for description: TransferDescription) async throws -> HTTPHeaders { headers }
}

/// The files in which `download` and `upload` keep the state of a transfer.
enum TransferStateFile {
    /// Returns the file for a transfer, in the user's directory for state (XDG base directories), which is created.
    ///
    /// The name is the FNV-1a hash of direction, URL and local path: the same command line finds the same state.
    static func url(for description: TransferDescription) throws -> URL {
        let environment = ProcessInfo.processInfo.environment
        let base =
            environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? URL(filePath: $0) : nil }
            ?? FileManager.default.homeDirectoryForCurrentUser.appending(path: ".local/state")
        let folder = base.appending(path: "airframe/transfers")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let direction = if case .upload = description.work { "upload" } else { "download" }
        let key = "\(direction)\n\(description.url.absoluteString)\n\(description.file.absoluteURL.path)"
        let hash = key.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
        return folder.appending(path: String(hash, radix: 16) + ".db")
    }
}

extension TransferDescription {
    /// Whether bytes that were transferred for the other description are of use for this one.
    fileprivate func hasSameContent(as other: TransferDescription) -> Bool {
        guard url == other.url, file == other.file else { return false }
        return switch (work, other.work) {
        case (.download(let one), .download(let two)): one.checksum == two.checksum
        case (.upload(let one), .upload(let two)):
            one.method == two.method && one.uploadProtocol == two.uploadProtocol
        default: false
        }
    }
}

extension ProgressReporter {
    /// Shows how far a transfer has come.
    fileprivate func show(_ progress: TransferProgress) {
        let shown = Progress(totalUnitCount: progress.totalBytes ?? -1)
        shown.completedUnitCount = progress.completedBytes
        show(shown)
    }
}
