internal import AirframeTransport
internal import FoundationEssentials

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The hash of a request's content, for schemes that protect it: Digest's `auth-int` (RFC 7616 §3.4.3), signatures and
/// `Content-Digest` (RFC 9530). The content is read piece by piece before it is sent.
enum ContentHash {
    /// - Throws: ``TransportError/Code/bodyNotReplayable`` for content that can be read only once,
    ///   ``TransportError/Code/bodyFailed`` for content that cannot be read, ``HashUnavailable``.
    static func bytes(of body: RequestBody, _ hash: HashFunction) async throws -> [UInt8] {
        guard body.replay != .oneShot else {
            throw TransportError(
                .bodyNotReplayable,
                phase: .layer,
                processing: .notProcessed,
                message: "the request needs its body's hash before it is sent, and the body can be read only once"
            )
        }
        switch body.content {
        case .none: return try hash.hash(Data())
        case .bytes(let data): return try hash.hash(data)
        case .file(let region):
            // Reading a file may block, which a thread of Swift's pool must not do.
            return try await WorkerThreads.files.result { try bytes(of: region, hash) }
        case .stream(let stream): return try await bytes(of: stream, hash)
        }
    }

    private static func bytes(of stream: RequestBody.Stream, _ hash: HashFunction) async throws -> [UInt8] {
        var running = try RunningHash(hash)
        do {
            let source = try stream.makeSource()
            defer { source.cancel() }
            while let chunk = try await source.next() { running.update(chunk) }
        } catch {
            throw failure("the body cannot be read for its hash", error)
        }
        return running.bytes()
    }

    private static func bytes(of region: FileRegion, _ hash: HashFunction) throws -> [UInt8] {
        // Without this flag, opening a named pipe would block until it has a writer.
        let descriptor = open(region.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw failure("the file \(region.path) cannot be opened: \(words(errno))") }
        defer { close(descriptor) }
        var running = try RunningHash(hash)
        var position = region.offset
        let end = region.offset + region.length
        while position < end {
            var code: Int32 = 0
            let chunk = Data(pageAlignedUpTo: Int(min(256 << 10, end - position))) { bytes in
                let count = pread(descriptor, bytes.baseAddress, bytes.count, off_t(position))
                if count < 0 { code = errno }
                return count
            }
            if code == EINTR { continue }
            guard !chunk.isEmpty else {
                throw failure("the file \(region.path) ends early, or cannot be read: \(words(code))")
            }
            running.update(chunk)
            position += Int64(chunk.count)
        }
        return running.bytes()
    }

    private static func words(_ code: Int32) -> String { String(cString: strerror(code)) }

    private static func failure(_ message: String, _ underlying: (any Error)? = nil) -> TransportError {
        TransportError(.bodyFailed, phase: .layer, processing: .notProcessed, message: message, underlying: underlying)
    }
}
