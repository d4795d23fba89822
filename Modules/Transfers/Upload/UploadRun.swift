internal import AirframeCore
internal import AirframeTransport
internal import Foundation
internal import Synchronization

/// One attempt of a queued upload.
struct UploadRun: Sendable {
    /// The maximum time that content waits for the server to announce the upload resource. A server without resumable
    /// uploads never announces one.
    private static let creationWait = Duration.seconds(1)

    private let attempt: TransferAttempt
    private let description: UploadDescription

    init(_ attempt: TransferAttempt, _ description: UploadDescription) {
        self.attempt = attempt
        self.description = description
    }

    private var path: String { description.file.path }

    /// Runs the upload up to the server's final response.
    func run() async throws {
        let left = UploadRecord(reading: attempt.claim.checkpoint)
        let mark = try FileMark(path: path)
        do {
            try left?.mark?.requireUnchanged(path)
        } catch {
            if let left { await discard(left) }
            attempt.note(nil, completed: 0, total: mark.size)
            throw error
        }
        attempt.begin(completed: left?.completed ?? 0, total: mark.size)
        if left?.isComplete == true {
            // The process was killed after the response and before it could record it.
            attempt.note(nil, completed: mark.size, total: mark.size)
            return
        }
        let record = left ?? UploadRecord(length: mark.size, parts: partCount, mark: mark)
        attempt.note(record.encoded, completed: record.completed, total: mark.size)
        let upload = try await makeUpload(continuing: record, mark)
        do {
            let response = try await send(upload, length: mark.size)
            guard (200..<300).contains(response.statusCode) else {
                throw TransferError.status(of: response, "the upload of \(path)", on: attempt.clock)
            }
        } catch {
            // Sent bytes may not have arrived, so the record has only acknowledged ones.
            let record = upload.record
            attempt.note(record.encoded, completed: record.completed, total: mark.size)
            let failure = TransferError.wrapping(error)
            if failure.kind == .fileChanged {
                await discard(record)
                attempt.note(nil, completed: 0, total: mark.size)
            }
            throw failure
        }
        attempt.note(nil, completed: mark.size, total: mark.size)
    }

    /// Asks the server to remove a cancelled upload. If the server does not respond, it keeps the upload until it
    /// expires.
    func discard() async {
        guard let record = UploadRecord(reading: attempt.checkpoint.data) else { return }
        await discard(record)
    }

    private var partCount: Int {
        if case .tus(let options) = description.uploadProtocol { min(max(1, options.parallelParts), 64) } else { 1 }
    }

    private func makeUpload(continuing record: UploadRecord, _ mark: FileMark) async throws -> ResumableUpload {
        var digest: TransferChecksum?
        if description.sendsDigest {
            digest = TransferChecksum(.sha256, bytes: try await FileHash.bytes(of: path, count: mark.size, .sha256))
        }
        let (attempt, path) = (attempt, path)
        let gate = Mutex<Latch?>(nil)
        let initial = record.completed
        let sent = Mutex<Int64>(0)
        let content = UploadContent(length: mark.size, path: path) { offset, length in
            .restartable(length: length) {
                try FileBodySource(
                    path, mark, offset..<(offset + length), attempt.limiter,
                    mayBegin: {
                        await gate.withLock { $0 }?.wait(atMost: Self.creationWait, on: attempt.clock)
                    },
                    didRead: { count in
                        attempt.count(sent: count)
                        let total = sent.withLock { sent in
                            sent += Int64(count)
                            return sent
                        }
                        attempt.noteProgress(completed: min(initial + total, mark.size), total: mark.size)
                    })
            }
        }
        let upload = ResumableUpload(
            content,
            using: description.uploadProtocol,
            continuing: record,
            digest: digest,
            attempts: 1
        ) { record in
            attempt.note(record.encoded, completed: record.completed, total: mark.size)
            try await attempt.save()
        }
        // Only a creation by the draft has content while its resource is unknown.
        if case .ietf = description.uploadProtocol, record.parts[0].location == nil {
            gate.withLock { $0 = upload.isCreated }
        }
        return upload
    }

    private func send(_ upload: ResumableUpload, length: Int64) async throws -> HTTPURLResponse {
        let urlRequest = try await attempt.makeRequest(
            attempt.claim.description.url, method: description.method)
        attempt.count(requests: 1)
        let request = attempt.session.upload(upload.content.part(0, length), with: urlRequest)
        request.setExchanger { request, transport async throws(TransportError) in
            try await upload.exchange(request, over: transport)
        }
        return try await request.finalResponse()
    }

    private func discard(_ record: UploadRecord) async {
        for location in record.parts.compactMap(\.location) {
            guard var request = try? await attempt.makeRequest(location, method: "DELETE") else { return }
            switch description.uploadProtocol {
            case .ietf:
                request.headers.update(name: "Upload-Draft-Interop-Version", value: "\(record.version.rawValue)")
            case .tus: request.headers.update(name: "Tus-Resumable", value: "1.0.0")
            }
            _ = try? await attempt.session.streamRequest(request).bytes().response
        }
    }
}

extension UploadRequest {
    /// Waits for the end of the request, and returns the head of its response.
    ///
    /// - Throws: The error of the request.
    func finalResponse() async throws -> HTTPURLResponse {
        await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                append(ResponseStep { .over(.deliver { continuation.resume() }) }, .detached)
                if Task.isCancelled { cancel() }
            }
        } onCancel: {
            cancel()
        }
        if let error { throw error }
        guard let response else { throw TransferError(.network, "the upload has no response") }
        return response
    }
}
