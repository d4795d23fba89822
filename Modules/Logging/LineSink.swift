internal import AirframeTransport
internal import Glibc

/// The destination of lines for people: standard error, standard output, or a closure.
public struct LineSink: Sendable {
    /// Whether the sink is a terminal, which supports colours.
    public let isTerminal: Bool

    private let take: @Sendable (String) -> Void

    /// Creates a sink from a closure.
    ///
    /// - Parameters:
    ///   - isTerminal: Whether the sink supports colours.
    ///   - take: Receives each line, without its end, one after the other. It may block, because no request waits for
    ///     it.
    public init(isTerminal: Bool = false, _ take: @escaping @Sendable (String) -> Void) {
        self.isTerminal = isTerminal
        self.take = take
    }

    /// Standard error.
    public static let standardError = LineSink(descriptor: STDERR_FILENO)
    /// Standard output.
    public static let standardOutput = LineSink(descriptor: STDOUT_FILENO)

    /// Writes a line.
    public func callAsFunction(_ line: String) { take(line) }

    private init(descriptor: Int32) {
        self.init(isTerminal: isatty(descriptor) == 1) { line in
            var rest = Array("\(line)\n".utf8)[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { bytes in
                    BrokenPipe.withoutSignal { Glibc.write(descriptor, bytes.baseAddress, bytes.count) }
                }
                guard count <= 0 else {
                    rest = rest.dropFirst(count)
                    continue
                }
                // A line that cannot be written is dropped: nothing can report it.
                guard count < 0, errno == EINTR || errno == EAGAIN else { return }
                if errno == EAGAIN { Self.awaitRoom(descriptor) }
            }
        }
    }

    /// Waits until a non-blocking descriptor accepts more.
    private static func awaitRoom(_ descriptor: Int32) {
        var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&ready, 1, -1)
    }
}
