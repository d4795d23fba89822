internal import AirframeTransport
internal import FoundationEssentials
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A reader of a request's body from memory, a file or a source.
final class RequestBodyReader: Sendable {
    private enum Content: Sendable {
        case data(Data)
        case file(FileRegion, position: Int64)
        case source(any RequestBodySource)
        case done
    }

    // Guards the position. The user's source is never called while it is held.
    private let content: Mutex<Content>

    /// Opens `body`.
    ///
    /// - Throws: ``TransportError/Code/bodyNotReplayable`` for a one-shot body that was opened before,
    ///   ``TransportError/Code/bodyFailed`` for one whose source cannot be made.
    init(_ body: RequestBody) throws(TransportError) {
        switch body.content {
        case .none: content = Mutex(.done)
        case .bytes(let data): content = Mutex(.data(data))
        case .file(let region): content = Mutex(.file(region, position: 0))
        case .stream(let stream):
            do {
                content = Mutex(.source(try stream.makeSource()))
            } catch let error as TransportError {
                throw error
            } catch {
                throw TransportError(
                    .bodyFailed,
                    phase: .requestBody,
                    processing: .notSent,
                    message: "the source of the request's body could not be made: \(error)",
                    underlying: error
                )
            }
        }
    }

    /// The user's source, as long as it has not ended.
    var source: (any RequestBodySource)? {
        content.withLock { content in
            if case .source(let source) = content { source } else { nil }
        }
    }

    /// Returns the next bytes of a body in memory or in a file.
    func next() throws -> Data? {
        try content.withLock { content in
            switch content {
            case .data(let data):
                content = .done
                return data.isEmpty ? nil : data
            case .file(let region, let position):
                let count = min(Int64(64 << 10), region.length - position)
                guard count > 0 else { return nil }
                let chunk = try region.read(Int(count), at: position)
                content = .file(region, position: position + Int64(chunk.count))
                return chunk
            case .source, .done: return nil
            }
        }
    }

    /// Puts back all bytes of the body that were read.
    func rewind(to data: Data) {
        content.withLock { $0 = .data(data) }
    }

    /// Records that the source has ended, so that it is not cancelled.
    func sourceEnded() {
        content.withLock { content in
            if case .source = content { content = .done }
        }
    }

    /// Cancels the unread rest.
    func cancel() {
        let source = source
        content.withLock { $0 = .done }
        source?.cancel()
    }
}

extension FileRegion {
    /// Reads `count` bytes at the offset `position` of the region.
    fileprivate func read(_ count: Int, at position: Int64) throws(TransportError) -> Data {
        // Opening a named pipe would wait for its writer otherwise.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw failure(String(cString: strerror(errno))) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw failure("it is not a regular file; send its content as a stream")
        }
        var chunk = Data(count: count)
        let result = chunk.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, count, off_t(offset + position)) }
        guard result >= 0 else { throw failure(String(cString: strerror(errno))) }
        guard result > 0 else { throw failure("it is shorter than the \(offset + length) bytes that were announced") }
        return chunk.prefix(result)
    }

    private func failure(_ reason: String) -> TransportError {
        TransportError(
            .bodyFailed,
            phase: .requestBody,
            processing: .unknown,
            message: "the file to upload, \(path), cannot be read: \(reason)"
        )
    }
}
