import Airframe
import AirframeCommandLine
import Dispatch
import Foundation
import Glibc

/// Standard output or standard error, as far as it is a terminal.
struct Terminal: Sendable {
    /// Standard output.
    static let output = Terminal(descriptor: STDOUT_FILENO, sink: .standardOutput)
    /// Standard error.
    static let error = Terminal(descriptor: STDERR_FILENO, sink: .standardError)

    private let descriptor: Int32
    /// Whether a person looks at it.
    let isTerminal: Bool
    /// Colours and characters: see `ConsoleStyle`.
    let style: TextStyle

    private init(descriptor: Int32, sink: LineSink) {
        self.descriptor = descriptor
        isTerminal = sink.isTerminal
        let style = ConsoleStyle.automatic(for: sink)
        self.style = TextStyle(usesColours: style.usesColours, usesUnicode: style.usesUnicode)
    }

    /// The columns and rows; 80 and 24 where the terminal does not say.
    var size: (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return (80, 24) }
        return (Int(size.ws_col), Int(max(2, size.ws_row)))
    }

    /// Writes a string. The rest is dropped if the terminal cannot be written to.
    func write(_ text: String) {
        _ = Array(text.utf8).withUnsafeBytes { Descriptor.write($0, to: descriptor) }
    }

    /// Asks for a password without showing it; `nil` where standard input is not a terminal.
    static func password(_ prompt: String) -> String? {
        guard isatty(STDIN_FILENO) == 1 else { return nil }
        var settings = termios()
        guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return nil }
        let original = TerminalSettings(value: settings)
        // A signal that ended the process would leave the terminal without echo. It is handled on a queue, which may
        // do more than a signal handler.
        let numbers = [SIGINT, SIGTERM, SIGHUP]
        let earlier = numbers.map { number in
            var action = sigaction()
            sigaction(number, nil, &action)
            return action
        }
        let sources = numbers.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                original.apply(TCSANOW)
                Terminal.error.write("\n")
                _exit(128 + number)
            }
            source.resume()
            return source
        }
        defer {
            for source in sources { source.cancel() }
            for (number, action) in zip(numbers, earlier) {
                var action = action
                sigaction(number, &action, nil)
            }
        }
        settings.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
        defer { original.apply(TCSAFLUSH) }
        error.write(prompt)
        defer { error.write("\n") }
        return readLine()
    }
}

/// The settings of the terminal on standard input.
///
/// `@unchecked Sendable`: an immutable C structure of numbers.
private struct TerminalSettings: @unchecked Sendable {
    let value: termios

    /// Sets them.
    ///
    /// - Parameter moment: `TCSANOW`, or `TCSAFLUSH` to discard input that was not read.
    func apply(_ moment: Int32) {
        var value = value
        tcsetattr(STDIN_FILENO, moment, &value)
    }
}
