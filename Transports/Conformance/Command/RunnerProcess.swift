internal import Glibc

/// A process that runs cases: this program once more, with further arguments.
struct RunnerProcess {
    private static let channelNumber: Int32 = 3

    let identifier: pid_t
    /// The end of the pair of sockets that messages come from.
    let descriptor: Int32

    /// - Throws: ``ScriptError`` if the process cannot be started.
    init(_ conformanceCases: [ConformanceCase]) throws {
        var ends: [Int32] = [-1, -1]
        // Not a pipe: its ends would be open to a process that another thread starts before they are close-on-exec.
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw ScriptError.system("socketpair") }
        defer { close(ends[1]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], Self.channelNumber)
        // What an engine prints must not be mixed with a report on standard output.
        posix_spawn_file_actions_adddup2(&actions, 2, 1)
        let ids = conformanceCases.map(\.id).joined(separator: ",")
        let arguments = CommandLine.arguments + ["--cases", ids, "--runner", "\(Self.channelNumber)"]
        // A trace of every trap would bury the report; a variable that is set already stays as it is.
        setenv("SWIFT_BACKTRACE", "enable=no", 0)
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var identifier = pid_t()
        let code = posix_spawn(&identifier, "/proc/self/exe", &actions, nil, &words, environ)
        guard code == 0 else {
            close(ends[0])
            throw ScriptError("/proc/self/exe cannot be run: \(String(cString: strerror(code)))")
        }
        self.identifier = identifier
        descriptor = ends[0]
    }

    /// Ends the process if it still runs, waits for it, and says how it ended.
    func end(killing: Bool) -> String {
        if killing { kill(identifier, SIGKILL) }
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
        close(descriptor)
        let signal = status & 0x7F
        guard signal != 0 else { return "its process ended with status \((status >> 8) & 0xFF)" }
        return "its process was ended by signal \(signal) (\(String(cString: strsignal(signal))))"
    }
}
