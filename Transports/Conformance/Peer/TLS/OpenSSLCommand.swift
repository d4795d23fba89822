internal import Glibc
internal import Synchronization

/// A run of the `openssl` command: what the suite does of TLS, so that engines need not share a library with it.
final class OpenSSLCommand: Sendable {
    // Guards the process's number: `nil` once it has been waited for.
    private let identifier: Mutex<pid_t?>

    /// Starts the command.
    ///
    /// - Parameters:
    ///   - arguments: Its arguments.
    ///   - channel: A descriptor for its input and output; `nil` for none.
    init(_ arguments: [String], channel: Int32? = nil) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for number in [Int32(0), 1] {
            if let channel {
                posix_spawn_file_actions_adddup2(&actions, channel, number)
            } else {
                posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
            }
        }
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The thread that is here may block signals, which the process would inherit.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var words: [UnsafeMutablePointer<CChar>?] = (["openssl"] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var identifier = pid_t()
        let code = posix_spawnp(&identifier, "openssl", &actions, &attributes, &words, nil)
        guard code == 0 else {
            throw ScriptError("the command openssl cannot be run: \(String(cString: strerror(code)))")
        }
        self.identifier = Mutex(identifier)
    }

    deinit { end() }

    /// Runs the command to its end.
    static func run(_ arguments: [String]) throws {
        let command = try OpenSSLCommand(arguments)
        let status = command.wait()
        guard status == 0 else {
            throw ScriptError("openssl \(arguments.joined(separator: " ")) failed with status \(status)")
        }
    }

    /// Ends the process, if it has not ended by itself.
    func end() {
        kill()
        _ = wait()
    }

    /// Breaks the process off. Its number stays its own until it is waited for.
    func kill() {
        identifier.withLock { identifier in
            if let identifier { _ = Glibc.kill(identifier, SIGKILL) }
        }
    }

    /// Waits for the process's end and returns its status.
    private func wait() -> Int32 {
        identifier.withLock { identifier in
            guard let number = identifier else { return 0 }
            var status: Int32 = 0
            while waitpid(number, &status, 0) < 0, errno == EINTR {}
            identifier = nil
            return status
        }
    }
}
