internal import AirframeCore
internal import AirframeTransport
internal import Foundation
internal import HTTPTypes
internal import Synchronization

/// Fetches the missing bytes of a download from one source, with one or several concurrent requests.
///
/// The first request asks for the whole, or continues an earlier attempt. If its response has a length and a strong
/// validator, further requests take halves of the remainder. The segment that would finish last is split, so that a
/// slow connection does not delay the end.
final class SegmentedFetch: Sendable {
    private struct FetchProgress {
        var checkpoint: DownloadCheckpoint
        /// The segments that are being fetched, by their first byte, with their estimated rates.
        var busy: [Int64: RateEstimate] = [:]
        var limit: Int
    }

    /// The outcome of a request for a segment.
    private enum SegmentOutcome: Sendable {
        case ended
        case failed(TransferError)
    }

    let attempt: TransferAttempt
    let file: PartFile
    private let download: DownloadDescription
    private let source: URL
    // Guards the checkpoint and the assignment of segments.
    private let progress: Mutex<FetchProgress>

    init(
        _ attempt: TransferAttempt,
        _ download: DownloadDescription,
        _ file: PartFile,
        _ source: URL,
        _ left: DownloadCheckpoint?
    ) {
        self.attempt = attempt
        self.download = download
        self.file = file
        self.source = source
        let checkpoint = left ?? DownloadCheckpoint(source: source, inode: file.inode)
        progress = Mutex(FetchProgress(checkpoint: checkpoint, limit: download.segments))
    }

    /// The progress of the download.
    var checkpoint: DownloadCheckpoint { progress.withLock { $0.checkpoint } }

    /// Fetches all missing bytes.
    ///
    /// - Throws: ``TransferError``.
    func run() async throws {
        let left = checkpoint
        attempt.begin(completed: left.completed, total: left.total)
        attempt.note(left.encoded, completed: left.completed, total: left.total)
        if let map = left.map, map.isComplete { return }
        let first = try await open()
        do {
            try await fetchAll(first)
        } catch {
            // Received bytes are kept, whatever ended the attempt.
            try? await synchronize()
            throw error
        }
        try await synchronize()
        guard checkpoint.map?.isComplete == true else {
            throw TransferError(.network, "the download ended before all segments were there")
        }
    }

    // MARK: The first response

    /// Sends the first request and locates its bytes.
    private func open() async throws -> SegmentResponse {
        let left = checkpoint
        if let map = left.map, left.completed > 0 || map.segments.count > 1 {
            guard left.isVerifiable || download.checksum != nil else { return try await openWhole() }
            var changed = map
            guard let start = changed.assign(besides: [:]) else { throw TransferError(.network, "nothing is missing") }
            if let response = try await openSegment(start, of: changed) { return response }
        } else if left.length > 0, left.validator != nil {
            if let response = try await openRest(from: left.length) { return response }
        }
        return try await openWhole()
    }

    private func openWhole() async throws -> SegmentResponse {
        let (bytes, trailers) = try await request(range: nil, validator: nil)
        let response = try await bytes.response
        guard (200..<300).contains(response.statusCode), response.statusCode != 206 else {
            throw TransferError.status(of: response, "the download", on: attempt.clock)
        }
        return try await begin(with: response, bytes, trailers)
    }

    /// Restarts the download with the whole representation.
    private func begin(
        with response: HTTPURLResponse,
        _ bytes: DataStreamRequest.Bytes,
        _ trailers: @escaping @Sendable () -> HTTPFields
    ) async throws -> SegmentResponse {
        let fields = response.receivedHead.headerFields
        let isCoded = (fields[.contentEncoding] ?? "identity").lowercased() != "identity"
        let length = isCoded ? nil : response.expectedContentLength.nonNegative
        if let size = download.size, let length, length != size {
            throw TransferError(
                .integrity,
                "the download from \(Redaction.url(source.absoluteString)) has \(length) bytes and should have \(size)")
        }
        var checkpoint = DownloadCheckpoint(source: source, inode: file.inode)
        let validator = isCoded ? nil : ResumeValidator(fields)
        checkpoint.entityTag = validator?.entityTag
        checkpoint.lastModified = validator?.lastModified
        if !isCoded { checkpoint.digest = DigestField.checksum(DigestField.representation, in: fields) }
        try await attempt.reset(to: DownloadCheckpoint(source: source, inode: file.inode).encoded)
        try file.truncate(to: 0)
        if let length {
            try file.reserve(length)
            checkpoint.map = SegmentMap(total: length)
        }
        let acceptsRanges = fields[.acceptRanges]?.lowercased() != "none"
        let mayBeSplit = acceptsRanges && validator != nil && length != nil
        progress.withLock { progress in
            progress.checkpoint = checkpoint
            if !mayBeSplit { progress.limit = 1 }
        }
        attempt.note(checkpoint.encoded, completed: 0, total: length)
        return SegmentResponse(
            bytes: bytes, start: 0, position: 0, end: length, isWhole: true,
            digest: isCoded ? nil : DigestField.checksum(DigestField.content, in: fields),
            trailers: { isCoded ? [:] : trailers() })
    }

    /// Continues a download of unknown length. Returns `nil` if the whole must be requested.
    private func openRest(from offset: Int64) async throws -> SegmentResponse? {
        let (bytes, trailers) = try await request(range: "bytes=\(offset)-", validator: checkpoint.validator)
        let response = try await bytes.response
        let fields = response.receivedHead.headerFields
        switch response.statusCode {
        case 206:
            // A range of a representation whose length is unknown may end before the representation does (RFC 9110
            // §14.4).
            guard let range = ContentRange(fields), range.first == offset, let length = range.completeLength,
                checkpoint.validator.map({ !$0.isContradicted(by: fields) }) ?? false
            else { return nil }
            return SegmentResponse(
                bytes: bytes, start: 0, position: offset, end: length, isWhole: true,
                digest: DigestField.checksum(DigestField.content, in: fields), trailers: trailers)
        case 416: return nil
        case 200..<300: return try await begin(with: response, bytes, trailers)
        default: throw TransferError.status(of: response, "the download", on: attempt.clock)
        }
    }

    /// Requests a segment. Returns `nil` if the representation has changed and the whole must be requested. A server
    /// that sends the whole restarts the download.
    private func openSegment(_ start: Int64, of map: SegmentMap) async throws -> SegmentResponse? {
        guard let segment = map.segments.first(where: { $0.start == start }) else { return nil }
        let (bytes, response, trailers) = try await ask(for: segment)
        if response.statusCode == 200 { return try await begin(with: response, bytes, trailers) }
        do {
            return try judge(response, bytes, segment, trailers)
        } catch {
            guard error.kind == .representationChanged else { throw error }
            return nil
        }
    }

    // MARK: Segments

    private func fetchAll(_ first: SegmentResponse) async throws {
        try await withThrowingTaskGroup(of: SegmentOutcome.self) { group in
            progress.withLock { $0.busy[first.start] = RateEstimate() }
            group.addTask { await self.outcome(ofSegmentAt: first.start) { try await self.receive(first) } }
            var active = 1
            while true {
                while let start = assign(active) {
                    active += 1
                    group.addTask {
                        await self.outcome(ofSegmentAt: start) {
                            if let response = try await self.openFurther(start) { try await self.receive(response) }
                        }
                    }
                }
                // No segment is left and no request is running: all bytes were received.
                guard let outcome = try await group.next() else { break }
                active -= 1
                guard case .failed(let error) = outcome else { continue }
                // The server may allow fewer concurrent requests.
                let isBearable = [.network, .unavailable, .refused].contains(error.kind) && !Task.isCancelled
                guard isBearable, active > 0 else {
                    group.cancelAll()
                    throw error
                }
                progress.withLock { $0.limit = max(1, min($0.limit, active)) }
            }
        }
    }

    private func assign(_ active: Int) -> Int64? {
        progress.withLock { progress in
            guard active < progress.limit else { return nil }
            let rates = progress.busy.mapValues(\.bytesPerSecond)
            guard let start = progress.checkpoint.map?.assign(besides: rates) else { return nil }
            progress.busy[start] = RateEstimate()
            return start
        }
    }

    private func outcome(ofSegmentAt start: Int64, _ work: () async throws -> Void) async -> SegmentOutcome {
        defer { progress.withLock { _ = $0.busy.removeValue(forKey: start) } }
        do {
            try await work()
            return .ended
        } catch {
            return .failed(.wrapping(error))
        }
    }

    /// Requests a further segment. Returns `nil` if the server ignores ranges and another request can continue into the
    /// segment.
    private func openFurther(_ start: Int64) async throws -> SegmentResponse? {
        guard let segment = checkpoint.map?.segments.first(where: { $0.start == start }) else { return nil }
        let (bytes, response, trailers) = try await ask(for: segment)
        let validator = checkpoint.validator
        if response.statusCode == 200, let validator, !validator.isContradicted(by: response.receivedHead.headerFields)
        {
            let isStranded = progress.withLock { progress -> Bool in
                progress.limit = 1
                progress.checkpoint.map?.join(segmentAt: start)
                return progress.checkpoint.map?.segments.contains { $0.start == start && $0.remaining > 0 } ?? false
            }
            // A segment that has begun cannot be joined. Requesting it again immediately would get the same response.
            guard !isStranded else {
                throw TransferError(.network, "the server ignores ranges; bytes from \(segment.next) on are missing")
            }
            return nil
        }
        return try judge(response, bytes, segment, trailers)
    }

    private func ask(
        for segment: SegmentMap.Segment
    ) async throws -> (DataStreamRequest.Bytes, HTTPURLResponse, @Sendable () -> HTTPFields) {
        let (bytes, trailers) = try await request(
            range: "bytes=\(segment.next)-\(segment.end - 1)", validator: checkpoint.validator)
        return (bytes, try await bytes.response, trailers)
    }

    /// Checks that a response has the requested segment of the same representation.
    private func judge(
        _ response: HTTPURLResponse,
        _ bytes: DataStreamRequest.Bytes,
        _ segment: SegmentMap.Segment,
        _ trailers: @escaping @Sendable () -> HTTPFields
    ) throws(TransferError) -> SegmentResponse {
        let fields = response.receivedHead.headerFields
        let address = Redaction.url(source.absoluteString)
        switch response.statusCode {
        case 206: break
        case 200:
            throw TransferError(.representationChanged, "\(address) changed while it was downloaded")
        case 416:
            throw TransferError(.representationChanged, "\(address) has no bytes from \(segment.next) on any more")
        default:
            throw TransferError.status(of: response, "the download of bytes from \(segment.next) on", on: attempt.clock)
        }
        guard let range = ContentRange(fields), range.first == segment.next else {
            throw TransferError(.network, "\(address) sent other bytes than those from \(segment.next) on")
        }
        let known = checkpoint
        if let total = range.completeLength, let expected = known.total, total != expected {
            throw TransferError(.representationChanged, "\(address) has \(total) bytes now, and had \(expected)")
        }
        guard known.validator.map({ !$0.isContradicted(by: fields) }) ?? true else {
            throw TransferError(.representationChanged, "\(address) changed while it was downloaded")
        }
        return SegmentResponse(
            bytes: bytes, start: segment.start, position: segment.next, end: min(range.last, segment.end - 1) + 1,
            isWhole: false, digest: DigestField.checksum(DigestField.content, in: fields), trailers: trailers)
    }

    /// Sends a request.
    ///
    /// - Returns: The content, and a closure that returns the trailers once the content has ended.
    private func request(
        range: String?,
        validator: ResumeValidator?
    ) async throws -> (DataStreamRequest.Bytes, @Sendable () -> HTTPFields) {
        var request = try await attempt.makeRequest(source, method: "GET")
        // Offsets refer to the representation without a content coding.
        request.headers.update(name: "Accept-Encoding", value: "identity")
        request.headers.update(name: DigestField.wanted, value: DigestField.preferences)
        if let range { request.headers.update(name: "Range", value: range) }
        if let validator { request.headers.update(name: "If-Range", value: validator.value) }
        attempt.count(requests: 1)
        let stream = attempt.session.streamRequest(request)
        return (stream.bytes(), { stream.trailers?.fields ?? HTTPFields() })
    }

    // MARK: Bytes

    /// Writes a response to the file, up to the end of its segment, which may move during the transfer.
    private func receive(_ response: SegmentResponse) async throws {
        var position = response.position
        for try await chunk in response.bytes {
            var rest = chunk[...]
            while !rest.isEmpty {
                // The segment may have been merged into the one before it.
                guard let end = writableEnd(of: response), position < end else { return }
                let room = end - position
                let piece = rest.prefix(Int(min(Int64(rest.count), room)))
                rest = rest.dropFirst(piece.count)
                try await attempt.limiter.acquire(piece.count)
                try Task.checkCancellation()
                try file.write(Data(piece), at: position)
                position += Int64(piece.count)
                attempt.count(received: piece.count)
                advance(response, to: position)
            }
            if attempt.mustSave() { try await synchronize() }
        }
        try await complete(response, at: position)
    }

    /// Returns the end of the bytes that the response may write. A response to a request for the whole continues into
    /// a segment that no other request has begun.
    private func writableEnd(of response: SegmentResponse) -> Int64? {
        progress.withLock { progress in
            guard let map = progress.checkpoint.map else { return .max }
            guard response.isWhole, let segment = map.segments.first(where: { $0.start == response.start }),
                segment.remaining == 0, let following = map.segments.first(where: { $0.start == segment.end })
            else { return map.end(ofSegmentAt: response.start) }
            if following.next == following.start { progress.checkpoint.map?.join(segmentAt: following.start) }
            return progress.checkpoint.map?.end(ofSegmentAt: response.start)
        }
    }

    private func advance(_ response: SegmentResponse, to position: Int64) {
        let now = attempt.clock.now
        let (completed, total) = progress.withLock { progress -> (Int64, Int64?) in
            if progress.checkpoint.map == nil {
                progress.checkpoint.length = position
            } else {
                progress.checkpoint.map?.advance(segmentAt: response.start, to: position)
            }
            progress.busy[response.start]?.add(position, at: now)
            return (progress.checkpoint.completed, progress.checkpoint.total)
        }
        attempt.noteProgress(completed: completed, total: total)
    }

    /// Checks a response that has ended.
    private func complete(_ response: SegmentResponse, at position: Int64) async throws {
        if let end = response.end, let wanted = writableEnd(of: response), position < min(end, wanted) {
            throw TransferError(.network, "the server sent \(position) bytes of \(end)")
        }
        let trailers = response.trailers()
        if let digest = DigestField.checksum(DigestField.representation, in: trailers) {
            progress.withLock { progress in
                if progress.checkpoint.digest == nil { progress.checkpoint.digest = digest }
            }
        }
        // A digest may also follow the content it is for (RFC 9530 §2, §3: both fields may be trailers).
        let digest = response.digest ?? DigestField.checksum(DigestField.content, in: trailers)
        if let digest, response.end ?? position == position {
            let count = position - response.position
            let bytes = try await FileHash.bytes(
                of: file.path, from: response.position, count: count, digest.algorithm)
            guard bytes == digest.bytes else {
                progress.withLock { $0.checkpoint.map?.invalidate(response.position..<position) }
                throw TransferError(
                    .integrity, "bytes \(response.position) to \(position) do not have the hash of their Content-Digest"
                )
            }
        }
        // A response whose end is that of its connection or last chunk says only now how long the whole is.
        progress.withLock { progress in
            guard progress.checkpoint.map == nil else { return }
            var map = SegmentMap(total: position)
            map.advance(segmentAt: 0, to: position)
            progress.checkpoint.map = map
        }
    }

    /// Puts what was received on the disk, and then stores that it is there.
    private func synchronize() async throws {
        let checkpoint = checkpoint
        try await WorkerThreads.files.result { [file] in try file.synchronize() }
        attempt.note(checkpoint.encoded, completed: checkpoint.completed, total: checkpoint.total)
        try await attempt.save()
    }
}

extension Int64 {
    fileprivate var nonNegative: Int64? { self < 0 ? nil : self }
}
