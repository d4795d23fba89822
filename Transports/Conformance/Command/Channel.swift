internal import FoundationEssentials
internal import Glibc

/// A message from a process that runs cases.
enum RunnerMessage: Codable {
    /// The process is ready: the engine could be made.
    case ready(EngineProfile)
    /// The engine cannot be made, for this reason.
    case unusable(String)
    /// A case begins.
    case began(id: String)
    /// A case has ended.
    case ended(ConformanceResult)
}

/// One end of a pair of sockets between processes, which carries messages as lines of JSON.
struct Channel {
    let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    func send(_ message: RunnerMessage) throws {
        try write(Array(JSONEncoder().encode(message)) + [UInt8(ascii: "\n")])
    }

    func write(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw ScriptError.system("write") }
            rest = rest.dropFirst(count)
        }
    }
}

/// Reads messages as they arrive.
struct ChannelReader {
    enum Reading {
        case message(RunnerMessage)
        /// No message arrived in time.
        case silence
        /// The other end is closed.
        case end
    }

    private let descriptor: Int32
    private var buffer: [UInt8] = []

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Blocks the thread until a message has arrived, but not beyond `end`.
    mutating func next(until end: ContinuousClock.Instant) -> Reading {
        while true {
            if let newline = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                let line = Data(buffer[..<newline])
                buffer.removeSubrange(...newline)
                // A process that dies within a line leaves an incomplete message.
                if let message = try? JSONDecoder().decode(RunnerMessage.self, from: line) { return .message(message) }
                continue
            }
            let left = max(.zero, end - .now).components
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let count = poll(
                &entry, 1, Int32(clamping: left.seconds * 1_000 + left.attoseconds / 1_000_000_000_000_000))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count == 0 ? .silence : .end }
            var block = [UInt8](repeating: 0, count: 64 << 10)
            let size = read(descriptor, &block, block.count)
            if size < 0, errno == EINTR { continue }
            guard size > 0 else { return .end }
            buffer += block.prefix(size)
        }
    }
}
