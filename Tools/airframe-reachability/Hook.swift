internal import AirframeReachability
internal import Glibc

/// The command that `--exec` names.
enum Hook {
    /// Runs `command` with the path in its environment, and waits for it: no two run concurrently.
    static func run(_ command: String, _ path: NetworkPath) {
        let own: [(name: String, value: String)] = [
            ("AIRFRAME_STATUS", path.isSatisfied ? "satisfied" : "unsatisfied"),
            ("AIRFRAME_REASON", path.reason?.rawValue ?? ""),
            ("AIRFRAME_INTERFACE", path.primaryInterface?.name ?? ""),
            ("AIRFRAME_KIND", path.primaryInterface?.kind.rawValue ?? ""),
            ("AIRFRAME_GATEWAY", path.gateway?.description ?? ""),
            ("AIRFRAME_IPV4", path.supportsIPv4 ? "yes" : "no"),
            ("AIRFRAME_IPV6", path.supportsIPv6 ? "yes" : "no"),
            ("AIRFRAME_EXPENSIVE", path.isExpensive ? "yes" : "no"),
            ("AIRFRAME_METERED", path.metered.rawValue),
            ("AIRFRAME_JSON", path.json.text),
        ]
        var variables = environment(with: own)
        defer { variables.forEach { free($0) } }
        let words = ["/bin/sh", "-c", command]
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        // The watching thread blocks all signals; the command must not inherit the mask.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        // Nor must it ignore SIGPIPE, as this program does.
        var pipeOnly = sigset_t()
        sigemptyset(&pipeOnly)
        sigaddset(&pipeOnly, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &pipeOnly)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var process = pid_t()
        let code = posix_spawn(&process, "/bin/sh", nil, &attributes, &arguments, &variables)
        guard code == 0 else {
            Output.fail("could not run \"\(command)\": \(String(cString: strerror(code)))")
            return
        }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        let signal = status & 0x7F
        if signal != 0 {
            Output.fail("\"\(command)\" was ended by signal \(signal) (\(String(cString: strsignal(signal))))")
        } else if status != 0 {
            Output.fail("\"\(command)\" ended with status \((status >> 8) & 0xFF)")
        }
    }

    /// The maximum length of an entry of the environment with its NUL, 32 pages of 4 KiB (execve(2)). With a longer one
    /// `posix_spawn` fails. AIRFRAME_JSON is longer if there are several hundred interfaces.
    private static let longestEntry = 32 * 4096

    /// The environment of this process with the variables in place of those of the same names, for `posix_spawn`.
    ///
    /// A value that is too long is left empty. `setenv` would change the environment while the resolver reads it in
    /// another thread.
    private static func environment(with own: [(name: String, value: String)]) -> [UnsafeMutablePointer<CChar>?] {
        var variables: [UnsafeMutablePointer<CChar>?] = []
        var index = 0
        while let entry = environ[index] {
            let isReplaced = own.contains { strncmp(entry, "\($0.name)=", $0.name.utf8.count + 1) == 0 }
            if !isReplaced { variables.append(strdup(entry)) }
            index += 1
        }
        for variable in own {
            let entry = "\(variable.name)=\(variable.value)"
            variables.append(strdup(entry.utf8.count < longestEntry ? entry : "\(variable.name)="))
        }
        variables.append(nil)
        return variables
    }
}
