internal import Synchronization

/// Runs the groups of cases in processes, several concurrently, and collects their results.
final class Supervisor: Sendable {
    private struct RunState {
        var profile: EngineProfile?
        var results: [String: ConformanceResult] = [:]
        /// The groups that no thread has taken yet.
        var groups: ArraySlice<[ConformanceCase]>
        var running = 0
        var finish: CheckedContinuation<Void, Never>?
    }

    private let options: CommandOptions
    private let exclusions: [String: String]
    private let start = ContinuousClock.now
    // Guards the results and the groups that are left. The continuation is resumed without it.
    private let state: Mutex<RunState>

    init(_ options: CommandOptions, exclusions: [String: String]) {
        self.options = options
        self.exclusions = exclusions
        let groups = ConformanceGroup.allCases.map { group in options.cases.filter { $0.group == group } }
        // The longest first, so that none is left to run alone at the end.
        state = Mutex(RunState(groups: groups.filter { !$0.isEmpty }.sorted { $0.count > $1.count }[...]))
    }

    func report() async -> ConformanceReport {
        await withCheckedContinuation { continuation in
            state.withLock { state in
                state.finish = continuation
                state.running = options.jobs
            }
            for _ in 0..<options.jobs {
                // Supervising blocks, so it must not run on Swift's pool.
                do { try Thread.detach { self.work() } } catch { leave() }
            }
        }
        let (profile, results) = state.withLock { ($0.profile, $0.results) }
        return ConformanceReport(
            profile ?? EngineProfile(unknown: "an engine that cannot be made"),
            results: options.cases.map {
                results[$0.id] ?? ConformanceResult($0, .failed, reasons: ["no process could be started for it"])
            },
            wait: options.wait,
            took: ContinuousClock.now - start
        )
    }

    private func work() {
        while let group = state.withLock({ $0.groups.popFirst() }) { supervise(group) }
        leave()
    }

    private func leave() {
        let finish = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.running -= 1
            guard state.running == 0 else { return nil }
            defer { state.finish = nil }
            return state.finish
        }
        finish?.resume()
    }

    private func record(_ result: ConformanceResult) { state.withLock { $0.results[result.id] = result } }

    // MARK: One group

    /// Runs cases until each has a result. A process that ends or hangs costs the case that it was at.
    private func supervise(_ group: [ConformanceCase]) {
        var rest = group[...]
        while !rest.isEmpty {
            guard ContinuousClock.now < start + options.budget else { return giveUp(rest) }
            let process: RunnerProcess
            do {
                process = try RunnerProcess(Array(rest))
            } catch {
                for conformanceCase in rest {
                    record(ConformanceResult(conformanceCase, .failed, reasons: ["\(error)"]))
                }
                return
            }
            guard let failure = follow(process, &rest), let current = rest.first else { continue }
            record(ConformanceResult(current, .failed, reasons: [failure.reason], took: failure.elapsed))
            rest = rest.dropFirst()
        }
    }

    /// Takes results from a process until it ends.
    ///
    /// - Parameter rest: The cases without a result, the current one first.
    /// - Returns: Why the current case has no result, and how long it ran; `nil` when none is missing or no time is
    ///   left.
    private func follow(
        _ process: RunnerProcess,
        _ rest: inout ArraySlice<ConformanceCase>
    ) -> (reason: String, elapsed: Duration)? {
        var reader = ChannelReader(process.descriptor)
        let end = start + options.budget
        var unusable: String?
        var begin = ContinuousClock.now
        while true {
            let limit = rest.first.map(longest) ?? .seconds(1)
            switch reader.next(until: min(end, .now + limit)) {
            case .message(.ready(let profile)): state.withLock { $0.profile = profile }
            case .message(.began): begin = .now
            case .message(.ended(let result)):
                record(result)
                rest = rest.dropFirst()
            case .message(.unusable(let reason)): unusable = reason
            case .silence where ContinuousClock.now >= end:
                _ = process.end(killing: true)
                return nil
            case .silence:
                _ = process.end(killing: true)
                return (
                    "it did not end within \(limit.inSeconds) s, and cancelling it did not help",
                    ContinuousClock.now - begin
                )
            case .end:
                let ending = process.end(killing: false)
                return rest.isEmpty ? nil : (unusable ?? ending, ContinuousClock.now - begin)
            }
        }
    }

    /// The longest time between two messages: the case's limit, and more than a busy machine adds.
    private func longest(_ conformanceCase: ConformanceCase) -> Duration {
        Waiting.$scale.withValue(options.wait / Waiting.usual) { Waiting.scaled(conformanceCase.limit) } + .seconds(7)
    }

    private func giveUp(_ rest: ArraySlice<ConformanceCase>) {
        let profile = state.withLock { $0.profile } ?? EngineProfile(unknown: "")
        for conformanceCase in rest {
            record(ConformanceSuite.notRun(conformanceCase, profile, exclusions: exclusions, options.budget))
        }
    }
}
