import Foundation

/// What it costs to make requests' content and to read responses', beside what Foundation offers for the same: a table
/// in Markdown. No server, no network; the two sides take turns, and the medians count.
@main
enum BenchCodecs {
    static func main() throws {
        let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 9
        print("| work | bytes | Airframe | beside it | | times as fast |")
        print("|---|--:|--:|---|--:|--:|")
        for work in try Work.all() {
            let (own, other) = try work.measured(rounds: rounds)
            let figures = [own, other].map { String(format: "%.1f µs", $0) }
            let ratio = String(format: "%.1f", other / own)
            print(
                "| \(work.name) | \(work.byteCount) | \(figures[0]) | \(work.otherName) | \(figures[1]) | \(ratio) |")
        }
    }
}

extension Work {
    /// The CPU time of one run of each side in microseconds: medians of `rounds`, taken in turns.
    func measured(rounds: Int) throws -> (own: Double, other: Double) {
        let repetitions = try max(1, Int(20_000 / Self.time(1, own)))
        let otherRepetitions = try max(1, Int(20_000 / Self.time(1, other)))
        var figures: (own: [Double], other: [Double]) = ([], [])
        for _ in 0..<max(rounds, 1) {
            figures.own.append(try Self.time(repetitions, own))
            figures.other.append(try Self.time(otherRepetitions, other))
        }
        return (figures.own.sorted()[figures.own.count / 2], figures.other.sorted()[figures.other.count / 2])
    }

    private static func time(_ repetitions: Int, _ run: () throws -> Void) throws -> Double {
        let start = cpuTime()
        for _ in 0..<repetitions { try run() }
        return max(cpuTime() - start, 0.01) / Double(repetitions)
    }

    /// This thread's CPU time in microseconds.
    private static func cpuTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
    }
}
