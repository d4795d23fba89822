internal import Glibc

/// Where lines for people go: standard error, standard output, or a closure.
public struct LineSink: Sendable {
    /// Whether somebody looks at the lines on a terminal, which understands colours.
    public let isTerminal: Bool

    private let take: @Sendable (String) -> Void

    /// Makes a sink of a closure.
    ///
    /// - Parameters:
    ///   - isTerminal: Whether colours are understood.
    ///   - take: Gets each line, without its end, one after the other. It may block: no request waits for it.
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
                let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
                // Nobody can be told that there is nowhere to write to.
                guard count > 0 || errno == EINTR || errno == EAGAIN else { return }
                rest = rest.dropFirst(max(0, count))
            }
        }
    }
}
