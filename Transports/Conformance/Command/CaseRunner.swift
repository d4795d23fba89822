internal import AirframeTransport
internal import Glibc

/// Runs cases in a separate process, and reports to the ``Supervisor`` through a pair of sockets.
struct CaseRunner: Sendable {
    private let engine: ConformanceEngine
    private let exclusions: [String: String]
    private let options: CommandOptions
    private let channel: Channel

    init(
        _ engine: ConformanceEngine,
        exclusions: [String: String],
        _ options: CommandOptions,
        channel descriptor: Int32
    ) {
        self.engine = engine
        self.exclusions = exclusions
        self.options = options
        channel = Channel(descriptor)
    }

    func run() async -> Never {
        // Processes that the cases start must not hold the socket open.
        _ = fcntl(channel.descriptor, F_SETFD, FD_CLOEXEC)
        // If the supervisor ends first, no process receives the report.
        signal(SIGPIPE, SIG_IGN)
        do {
            let profile = try EngineProfile(engine)
            try channel.send(.ready(profile))
            for conformanceCase in options.cases {
                try channel.send(.began(id: conformanceCase.id))
                let result = await ConformanceSuite.result(
                    of: conformanceCase, on: engine, profile, exclusions: exclusions, waiting: options.wait)
                try channel.send(.ended(result))
            }
        } catch {
            try? channel.send(.unusable("the engine cannot be made: \(error)"))
        }
        exit(0)
    }
}
