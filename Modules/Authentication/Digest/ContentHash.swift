internal import AirframeTransport
internal import FoundationEssentials

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The hash of a request's content, for servers that protect it (`auth-int`, RFC 7616 §3.4.3). The content is read for it
/// before it is sent, piece by piece.
enum ContentHash {
    /// - Throws: ``TransportError/Code/bodyNotReplayable`` for content that can be read only once,
    ///   ``TransportError/Code/bodyFailed`` for content that cannot be read, a ``DigestFailure`` of libcrypto's.
    static func hex(of body: RequestBody, _ hash: DigestAlgorithm.Hash) async throws -> String {
        guard body.replay != .oneShot else {
            throw TransportError(
                .bodyNotReplayable,
                phase: .layer,
                processing: .notProcessed,
                message: "the server wants the body's hash (qop=auth-int), and the body can be read only once"
            )
        }
        switch body.content {
        case .none: return try RunningHash.hex(of: Data(), hash)
        case .bytes(let data): return try RunningHash.hex(of: data, hash)
        case .file(let region): return try hex(of: region, hash)
        case .stream(let stream): return try await hex(of: stream, hash)
        }
    }

    private static func hex(of stream: RequestBody.Stream, _ hash: DigestAlgorithm.Hash) async throws -> String {
        var running = try RunningHash(hash)
        do {
            let source = try stream.makeSource()
            defer { source.cancel() }
            while let chunk = try await source.next() { running.update(chunk) }
        } catch {
            throw failure("the body cannot be read for its hash", error)
        }
        return running.hex()
    }

    private static func hex(of region: FileRegion, _ hash: DigestAlgorithm.Hash) throws -> String {
        let descriptor = open(region.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("the file \(region.path) cannot be opened: \(words(errno))") }
        defer { close(descriptor) }
        var running = try RunningHash(hash)
        var position = region.offset
        let end = region.offset + region.length
        while position < end {
            var chunk = Data(count: Int(min(256 << 10, end - position)))
            let count = chunk.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, off_t(position)) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw failure("the file \(region.path) ends early, or cannot be read: \(words(count < 0 ? errno : 0))")
            }
            running.update(chunk.prefix(count))
            position += Int64(count)
        }
        return running.hex()
    }

    private static func words(_ code: Int32) -> String { String(cString: strerror(code)) }

    private static func failure(_ message: String, _ underlying: (any Error)? = nil) -> TransportError {
        TransportError(.bodyFailed, phase: .layer, processing: .notProcessed, message: message, underlying: underlying)
    }
}
