internal import AirframeCore
internal import AirframeTransport
internal import Foundation
internal import Synchronization

/// One resumable upload: its content, and the server's progress.
///
/// The object sits between a request and the session's transport. One attempt of the request becomes a creation and
/// any number of offset requests and appended parts.
final class ResumableUpload: Sendable {
    /// Stores the record, so that a later process can continue.
    typealias Save = @Sendable (UploadRecord) async throws -> Void

    let content: UploadContent
    let uploadProtocol: ResumableUploadProtocol
    /// The hash of the whole, for `Repr-Digest`.
    let digest: TransferChecksum?
    /// The maximum number of consecutive failures without progress.
    private let attempts: Int
    private let save: Save
    // Guards the record.
    private let state: Mutex<UploadRecord>
    /// Opens once the upload resource is known and stored. Content that is sent earlier would be lost with this
    /// process.
    let isCreated = Latch()

    init(
        _ content: UploadContent,
        using uploadProtocol: ResumableUploadProtocol,
        continuing record: UploadRecord,
        digest: TransferChecksum? = nil,
        attempts: Int,
        save: @escaping Save = { _ in }
    ) {
        self.content = content
        self.uploadProtocol = uploadProtocol
        self.digest = digest
        self.attempts = attempts
        self.save = save
        state = Mutex(record)
    }

    /// The server's progress.
    var record: UploadRecord { state.withLock { $0 } }

    /// Changes the record and stores it.
    func update(_ change: @Sendable (inout UploadRecord) -> Void) async throws {
        state.withLock { change(&$0) }
        try await save(record)
    }

    /// Changes the record from a synchronous context, and stores it soon.
    func note(_ change: (inout UploadRecord) -> Void) {
        state.withLock { change(&$0) }
        Task {
            try? await save(record)
            isCreated.open()
        }
    }

    /// Performs the request.
    func exchange(
        _ request: TransportRequest,
        over transport: any Transport
    ) async throws(TransportError) -> TransportResponse {
        do {
            try requireUnchanged()
            let exchanges = UploadExchanges(request: request, transport: transport, upload: self)
            let response =
                switch uploadProtocol {
                case .ietf: try await DraftUpload(exchanges).run()
                case .tus(let options): try await TusUpload(exchanges, options).run()
                }
            try requireUnchanged()
            return response
        } catch let error as TransportError {
            // An engine that reads the file may notice the change first, and reports only the failed read.
            do { try requireUnchanged() } catch { throw failure(error, request) }
            throw error
        } catch is CancellationError {
            throw .cancelled(in: .layer, processing: .unknown, origin: Origin(request.head))
        } catch {
            throw failure(error, request)
        }
    }

    private func failure(_ error: any Error, _ request: TransportRequest) -> TransportError {
        TransportError(
            .bodyFailed, phase: .layer, processing: .unknown, message: "\(error)", origin: Origin(request.head),
            underlying: error)
    }

    /// Throws if the file is not the one with which the upload began.
    func requireUnchanged() throws {
        guard let path = content.path, let mark = record.mark else { return }
        try mark.requireUnchanged(path)
    }

    /// Repeats `step` until it returns a response, with increasing waits after failures.
    ///
    /// - Parameters:
    ///   - part: The part whose progress resets the count of failures.
    ///   - clock: The clock to wait on.
    ///   - step: Returns `nil` to be called again.
    func persist(
        with part: Int,
        on clock: any TransportClock,
        _ step: () async throws -> TransportResponse?
    ) async throws -> TransportResponse {
        var failures = 0
        var reached = record.parts[part].offset
        while true {
            do {
                if let response = try await step() { return response }
            } catch {
                guard Self.isTransient(error), !Task.isCancelled else { throw error }
                let offset = record.parts[part].offset
                failures = offset > reached ? 1 : failures + 1
                reached = max(reached, offset)
                guard failures < attempts else { throw error }
                try await clock.sleep(for: .milliseconds(min(10_000, 100 << min(failures, 16))))
            }
        }
    }

    private static func isTransient(_ error: any Error) -> Bool {
        switch error {
        case let error as TransferError: error.kind == .unavailable
        case let error as TransportError:
            [
                .connectionLost, .connectFailed, .nameResolutionFailed, .networkUnreachable, .bodyTruncated, .timedOut,
                .malformedResponse,
            ].contains(error.code)
        default: false
        }
    }
}

/// A gate that opens once.
final class Latch: Sendable {
    private struct LatchState {
        var isOpen = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    // Guards whether the gate is open, and its waiters.
    private let state = Mutex(LatchState())

    func open() {
        let waiters = state.withLock { state in
            state.isOpen = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Waits until the latch is open, at most for `limit`.
    func wait(atMost limit: Duration, on clock: any TransportClock) async {
        guard !state.withLock({ $0.isOpen }) else { return }
        let timer = Task {
            try? await clock.sleep(for: limit)
            open()
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOpen = state.withLock { state in
                    if !state.isOpen { state.waiters.append(continuation) }
                    return state.isOpen
                }
                if isOpen { continuation.resume() }
            }
        } onCancel: {
            open()
        }
        timer.cancel()
    }
}
