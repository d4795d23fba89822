import AirframeTestSupport
import AirframeTransport
import Dispatch
import FoundationEssentials
import Synchronization
import Testing

@testable import AirframeCurl

/// A task executor that runs jobs when the test says so.
private final class SteppedExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "stepped")
    private let jobs = Mutex<[UnownedJob]>([])

    func enqueue(_ job: consuming ExecutorJob) {
        let unowned = UnownedJob(job)
        jobs.withLock { $0.append(unowned) }
    }

    /// Runs all jobs but the first `count`, and the jobs that they enqueue.
    func run(after count: Int = 0) async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            queue.async { [self] in
                while let job = next(after: count) { job.runSynchronously(on: asUnownedTaskExecutor()) }
                continuation.resume()
            }
        }
    }

    private func next(after count: Int) -> UnownedJob? {
        jobs.withLock { $0.count > count ? $0.remove(at: count) : nil }
    }
}

/// A source that delivers its only chunk when it is released.
private final class HeldSource: RequestBodySource {
    private let chunk: String
    // Guards the reader.
    private let reader = Mutex<CheckedContinuation<Void, Never>?>(nil)

    init(_ chunk: String) { self.chunk = chunk }

    func next() async throws -> Data? {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            reader.withLock { $0 = continuation }
        }
        return Data(chunk.utf8)
    }

    func release() { reader.withLock { $0.take() }?.resume() }
}

@Suite("The pump of a request's body", .timeLimit(.minutes(1)))
struct StreamPumpTests {
    private let executor = SteppedExecutor()
    private let loop: EventLoop

    init() throws { loop = try EventLoop(CurlTransport.Configuration()) }

    /// Returns a pump that opens the sources in turn.
    private func pump(length: Int64, _ sources: [any RequestBodySource]) -> StreamPump {
        let queue = SourceQueue(sources)
        return StreamPump(
            exchange: 1, origin: Origin(scheme: "http", host: "a.test"), length: length, trailers: nil,
            executor: executor
        ) {
            try queue.next()
        }
    }

    /// Returns the bytes that the pump has, or a word on why it has none.
    private func take(_ pump: StreamPump) -> String {
        var buffer = [UInt8](repeating: 0, count: 64)
        switch buffer.withUnsafeMutableBytes({ pump.take(into: $0) }) {
        case .bytes(let count): return String(decoding: buffer.prefix(count), as: UTF8.self)
        case .nothing(let mustPull): return mustPull ? "pull" : "wait"
        case .end: return "end"
        case .failed(let error): return "\(error)"
        }
    }

    @Test("bytes of a pull for an earlier sending do not count for the next one")
    func earlierBytes() async throws {
        defer { loop.submit(.retire) }
        let old = HeldSource("old")
        let pump = pump(length: 4, [old, ChunkSource(["new!"])])
        #expect(take(pump) == "pull")
        pump.pull(loop)
        await executor.run()
        pump.rewind()
        old.release()
        await executor.run()
        #expect(take(pump) == "pull")
        pump.pull(loop)
        await executor.run()
        #expect(take(pump) == "new!")
    }

    @Test("a pull for an earlier sending takes no chunk of the next one")
    func earlierPull() async throws {
        defer { loop.submit(.retire) }
        let pump = pump(length: 6, [ChunkSource(["new", "est"])])
        #expect(take(pump) == "pull")
        pump.pull(loop)
        pump.rewind()
        #expect(take(pump) == "pull")
        pump.pull(loop)
        // The second pull runs before the first.
        await executor.run(after: 1)
        #expect(take(pump) == "new")
        await executor.run()
        #expect(take(pump) == "pull")
        pump.pull(loop)
        await executor.run()
        #expect(take(pump) == "est")
    }
}

/// The sources that a pump opens.
private final class SourceQueue: Sendable {
    private let sources: Mutex<[any RequestBodySource]>

    init(_ sources: [any RequestBodySource]) { self.sources = Mutex(sources) }

    func next() throws -> any RequestBodySource {
        try sources.withLock { sources in
            guard !sources.isEmpty else { throw SourceBroke() }
            return sources.removeFirst()
        }
    }
}
