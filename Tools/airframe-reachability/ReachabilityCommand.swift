internal import AirframeReachability
internal import Glibc
internal import Synchronization

/// The monitor: reports how the machine is connected, once or at every change.
///
/// Without tasks: the threads of Swift's pool wake once a second while they live.
@main
struct ReachabilityCommand {
    /// Whether `--wait` has its result: the network can be reached, or the time is over, whichever was first.
    private static let isDecided = Atomic<Bool>(false)

    static func main() {
        // Writing to a closed pipe is an error instead of a signal, and has an exit status.
        signal(SIGPIPE, SIG_IGN)
        do throws(Options.Failure) {
            switch try Options.parse(CommandLine.arguments.dropFirst()) {
            case .help: Output.write(Options.help)
            case .run(let options): end(run(options))
            }
        } catch {
            Output.fail(error.description + "\nSee airframe-reachability --help.")
            end(.usage)
        }
    }

    private static func run(_ options: Options) -> ExitCode {
        let monitor = NetworkPathMonitor(.init(host: options.host, interface: options.interface))
        do throws(NetworkPathError) {
            switch options.mode {
            case .once:
                let path = try monitor.currentPath()
                report(path, options)
                return path.isSatisfied ? .reachable : .unreachable
            case .wait(let seconds):
                // A watch reports the present state from its own thread, which may be later than now.
                guard seconds > 0 else {
                    let path = try monitor.currentPath()
                    if path.isSatisfied { report(path, options) }
                    return path.isSatisfied ? .reachable : .unreachable
                }
                let watch = try monitor.start { result in
                    guard let path = orEnd(result), path.isSatisfied, decide() else { return }
                    report(path, options)
                    end(.reachable)
                }
                withExtendedLifetime(watch) { sleep(for: seconds) }
                // The watch's thread may still report that the network can be reached, and ends the program then.
                if !decide() { while withExtendedLifetime(watch, { pause() }) < 0 {} }
                return .unreachable
            case .watch:
                let watch = try monitor.start { result in
                    if let path = orEnd(result) { report(path, options) }
                }
                while withExtendedLifetime(watch, { pause() }) < 0 {}
                return .failed
            }
        } catch {
            Output.fail(error.description)
            return .failed
        }
    }

    /// Whether the caller is the first to decide on the result of `--wait`.
    private static func decide() -> Bool { !isDecided.exchange(true, ordering: .relaxed) }

    private static func orEnd(_ result: Result<NetworkPath, NetworkPathError>) -> NetworkPath? {
        switch result {
        case .success(let path): return path
        case .failure(let error):
            Output.fail(error.description)
            end(.failed)
        }
    }

    /// Writes immediately: two threads write, and buffers would mix their lines.
    private static func end(_ code: ExitCode) -> Never { _exit(code.rawValue) }

    private static func sleep(for seconds: Double) {
        let whole = seconds.rounded(.down)
        var rest = timespec(tv_sec: Int(whole), tv_nsec: Int((seconds - whole) * 1e9))
        var left = timespec()
        while nanosleep(&rest, &left) < 0 && errno == EINTR { rest = left }
    }

    private static func report(_ path: NetworkPath, _ options: Options) {
        show(path, options)
        if let command = options.command { Hook.run(command, path) }
    }

    private static func show(_ path: NetworkPath, _ options: Options) {
        guard !options.isQuiet else { return }
        if options.isJSON {
            Output.write(path.json.text + "\n")
        } else if options.mode == .watch && isatty(1) == 1 {
            // Moves the cursor to the corner and clears the rest of the last view.
            Output.write("\u{1B}[H\u{1B}[2J" + Report.full(path) + "\nCtrl-C ends.\n")
        } else {
            Output.write(options.mode == .once && isatty(1) == 1 ? Report.full(path) : Report.line(path) + "\n")
        }
    }
}

/// The exit statuses.
enum ExitCode: Int32 {
    case reachable = 0
    case unreachable = 1
    /// The kernel did not answer.
    case failed = 2
    /// The arguments are wrong.
    case usage = 64
}

/// Standard output and standard error, without Foundation.
enum Output {
    /// Writes immediately: the reader of the pipe waits for the line.
    static func write(_ text: String) { write(text, to: 1) }

    static func fail(_ text: String) { write("airframe-reachability: \(text)\n", to: 2) }

    private static func write(_ text: String, to descriptor: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            // Another program that shares the descriptor has set O_NONBLOCK.
            if count < 0 && errno == EAGAIN {
                var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&room, 1, -1)
                continue
            }
            // The reader closed the pipe.
            guard count > 0 else { exit(ExitCode.failed.rawValue) }
            bytes = bytes.dropFirst(count)
        }
    }
}
