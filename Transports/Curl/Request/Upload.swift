internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes
internal import Synchronization

/// The content of a request while it is sent.
enum Upload {
    case memory(MemoryUpload)
    case file(FileUpload)
    case stream(StreamPump)

    /// The result of reading for libcurl.
    enum Read {
        case bytes(Int)
        case end
        /// Nothing yet. `mustPull` is set if the source has to be called.
        case pause(mustPull: Bool)
        case failed(TransportError)
    }

    /// Creates the upload of `content`.
    init(_ body: RequestBody, _ content: OpenedContent, length: Int64?, exchange: Exchange) {
        let origin = exchange.plan.origin
        func pump(
            on executor: (any TaskExecutor)? = nil,
            _ open: @escaping @Sendable () throws -> any RequestBodySource
        ) -> StreamPump {
            StreamPump(
                exchange: exchange.id,
                origin: origin,
                length: length,
                trailers: body.trailers,
                executor: executor,
                open: open
            )
        }
        switch content {
        case .file(let file) where body.trailers == nil:
            self = .file(FileUpload(file, exchange: exchange.id, origin: origin))
        case .file(let file):
            self = .stream(pump(on: WorkerThreads.files) { FileSource(FileReader(file, origin: origin)) })
        case .bytes(let data) where body.trailers == nil:
            self = .memory(MemoryUpload(data))
        case .bytes(let data):
            self = .stream(pump { DataSource(data) })
        case .stream(let stream, let first):
            self = .stream(pump { try first.take() ?? stream.makeSource() })
        }
    }

    /// Fills `buffer` with the next bytes.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Read {
        switch self {
        case .memory(let memory):
            let count = memory.read(into: buffer)
            return count == 0 ? .end : .bytes(count)
        case .file(let file): return file.read(into: buffer)
        case .stream(let pump): return Read(pump.take(into: buffer))
        }
    }

    /// The pump that brings bytes from outside the loop, if there is one.
    var pump: StreamPump? {
        switch self {
        case .memory: nil
        case .file(let file): file.pump
        case .stream(let pump): pump
        }
    }

    /// Rewinds to `offset`. Returns `false` if the content cannot be read again.
    func rewind(to offset: Int64, replay: RequestBody.Replay) -> Bool {
        switch self {
        case .memory(let memory): return memory.seek(to: offset)
        case .file(let file): return file.seek(to: offset)
        case .stream(let pump):
            guard offset == 0 else { return false }
            if pump.isUntouched { return true }
            guard replay != .oneShot else { return false }
            pump.rewind()
            return true
        }
    }

    /// Whether the upload waits for the source and not for the connection.
    var waitsForSource: Bool { pump?.isPulling ?? false }

    var trailers: HTTPFields? { pump?.trailers }

    func cancel() { pump?.cancel() }
}

extension Upload.Read {
    init(_ taken: StreamPump.Taken) {
        switch taken {
        case .bytes(let count): self = .bytes(count)
        case .nothing(let mustPull): self = .pause(mustPull: mustPull)
        case .end: self = .end
        case .failed(let error): self = .failed(error)
        }
    }
}

/// The upload of bytes in memory.
///
/// A class, because it has a position.
final class MemoryUpload {
    private let data: Data
    private var position = 0

    init(_ data: Data) { self.data = data }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let start = data.startIndex + position
        let count = data.copyBytes(to: buffer, from: start..<min(data.endIndex, start + buffer.count))
        position += count
        return count
    }

    func seek(to offset: Int64) -> Bool {
        guard (0...Int64(data.count)).contains(offset) else { return false }
        position = Int(offset)
        return true
    }
}
