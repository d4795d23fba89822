internal import AirframeTransport
internal import FoundationEssentials
internal import Glibc
internal import HTTPTypes

/// The writing half.
extension HTTP1Stream {
    var hasSent: Bool { output.hasSent }

    func flush() throws(StreamFailure) -> FlushResult {
        var hasMoved = false
        while !output.isEmpty {
            switch writeOutput() {
            case .bytes: hasMoved = true
            case .blocked: return hasMoved ? .progress : .blocked
            case .ended, .failed(EPIPE), .failed(ECONNRESET):
                // The server may have answered before it closed the connection.
                guard output.hasSent, !output.isPastHead else { throw .lost(code: EPIPE, words: nil) }
                output.discard()
            case .failed(let code): throw .lost(code: code, words: nil)
            }
        }
        if let memory = output.noteEmpty() { buffers.giveHead(memory) }
        return .done
    }

    func write(_ content: UnsafeRawBufferPointer) -> IOResult {
        guard output.isChunked else { return bytes.write(content) }
        if output.chunkRest == 0 {
            // The suffix of the previous chunk.
            while !output.isEmpty {
                let result = writeOutput()
                guard case .bytes = result else { return result }
            }
            if output.beginChunk(content) {
                return writeOutput().accepting(content.count)
            }
        }
        while !output.isEmpty {
            let result = writeOutput()
            guard case .bytes = result else { return result }
        }
        let result = bytes.write(UnsafeRawBufferPointer(rebasing: content.prefix(output.chunkRest)))
        if case .bytes(let count) = result, output.advanceChunk(by: count) {
            // If there is no room, `flush()` sends the suffix. If the connection broke, `flush()` throws.
            _ = writeOutput()
        }
        return result
    }

    func sendFile(_ file: FileContent, from position: Int64) -> IOResult? {
        guard !output.isChunked, bytes.tls == nil else { return nil }
        return switch file.send(to: bytes.socket, from: position) {
        // `sendfile` does not support this kind of file.
        case .failed(EINVAL), .failed(ENOSYS): nil
        case let result: result
        }
    }

    func finish(trailers: HTTPFields?) throws(StreamFailure) {
        do throws(TransportError) {
            try output.finish(trailers: trailers, origin: origin)
        } catch {
            throw .failed(error)
        }
    }

    private func writeOutput() -> IOResult {
        let result = output.rest { bytes.write($0) }
        if case .bytes(let count) = result { output.advance(by: count) }
        return result
    }
}

extension IOResult {
    /// Returns the result of accepting `count` bytes, which are sent later if there is no room now.
    fileprivate func accepting(_ count: Int) -> IOResult {
        switch self {
        case .bytes, .blocked: .bytes(count)
        case .ended, .failed: self
        }
    }
}
