internal import Glibc

/// The parsed arguments. Parsed by hand, so that the tool links no library for it.
struct Options: Equatable {
    enum Mode: Equatable {
        case watch
        case once
        case wait(seconds: Double)
    }

    enum Request {
        case help
        case run(Options)
    }

    /// An error about an argument, as one sentence.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    var mode = Mode.watch
    var isJSON = false
    var isQuiet = false
    var host: String?
    var interface: String?
    var command: String?

    static func parse(_ arguments: some Sequence<String>) throws(Failure) -> Request {
        var options = Options()
        var rest = Array(arguments)[...]
        while let argument = rest.popFirst() {
            // Both `--host name` and `--host=name`.
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let attached = argument.hasPrefix("--") && parts.count == 2 ? parts[1] : nil
            let name = attached == nil ? argument : parts[0]
            func value() throws(Failure) -> String {
                guard let value = attached ?? rest.popFirst(), !value.isEmpty else {
                    throw Failure(description: "\(name) needs a value")
                }
                return value
            }
            switch name {
            case "--host": options.host = try value()
            case "--interface": options.interface = try value()
            case "--exec": options.command = try value()
            case "--wait":
                let text = try value()
                guard let seconds = Double(text), seconds.isFinite, (0...1e9).contains(seconds) else {
                    throw Failure(description: "--wait needs a number of seconds, not \"\(text)\"")
                }
                try options.set(.wait(seconds: seconds))
            case _ where attached != nil: throw Failure(description: "unknown or valueless option \"\(argument)\"")
            case "--once": try options.set(.once)
            case "--json": options.isJSON = true
            case "--quiet", "-q": options.isQuiet = true
            case "--help", "-h": return .help
            default: throw Failure(description: "unknown argument \"\(argument)\"")
            }
        }
        return .run(options)
    }

    private mutating func set(_ mode: Mode) throws(Failure) {
        guard self.mode == .watch else { throw Failure(description: "--once and --wait exclude each other") }
        self.mode = mode
    }

    static let help = """
        airframe-reachability: reports the network connection of this machine, and its changes.

        USAGE
          airframe-reachability [--once | --wait SECONDS] [--host NAME] [--interface NAME]
                                [--json] [--quiet] [--exec COMMAND]

        Without options it shows the present state until it is interrupted: on a terminal
        as a view that is repainted, in a pipe as one line a change.

        OPTIONS
          --once              Show the present state and end.
          --wait SECONDS      End as soon as the network can be reached, at most SECONDS later; 0 asks once.
                              The command of --exec is waited for, however long it takes.
          --host NAME         Decide by the routes to this host's addresses, not by the default routes.
          --interface NAME    Decide by this interface alone.
          --json              One JSON object a line; the manual page describes its fields.
          --quiet, -q         Show nothing; the exit status is the result.
          --exec COMMAND      Run COMMAND with /bin/sh at the start and at each change, with
                              AIRFRAME_STATUS (satisfied, unsatisfied), AIRFRAME_REASON,
                              AIRFRAME_INTERFACE, AIRFRAME_KIND, AIRFRAME_GATEWAY, AIRFRAME_IPV4,
                              AIRFRAME_IPV6, AIRFRAME_EXPENSIVE (yes, no), AIRFRAME_METERED (unknown,
                              yes, no, guess-yes, guess-no) and AIRFRAME_JSON in its environment.
          --help, -h          Show this.

        EXIT STATUS
          0   The network, or the host, can be reached (--once, --wait).
          1   It cannot, or not in time.
          2   The kernel could not be queried, or the output could not be written.
          64  The arguments are wrong.

        EXAMPLES
          airframe-reachability
          airframe-reachability --wait 30 && apt-get update
          airframe-reachability --once --quiet --host db.internal || echo "no way to the database"
          airframe-reachability --json | jq -r .status
          airframe-reachability --exec 'logger "network: $AIRFRAME_STATUS $AIRFRAME_REASON"'

        """
}
