internal import AirframeHAR
internal import AirframeTransport
internal import HTTPTypes
internal import Synchronization

/// The entries of an archive, and which of them have been served.
final class ReplayBook: Sendable {
    /// The outcome of matching a request.
    enum Match: Sendable {
        case entry(ReplayedEntry, hit: Int)
        /// No entry matches, for this reason.
        case unmatched(String)
    }

    private struct Progress: Sendable {
        var hits: [Int: Int] = [:]
        var served = 0
        var reports: [String] = []
    }

    let configuration: HARTransport.Configuration
    private let entries: [ReplayedEntry]
    // Guards which entries have been served.
    private let progress = Mutex(Progress())

    init(_ entries: [HAR.Entry], _ configuration: HARTransport.Configuration) throws(HAR.ReadingError) {
        self.configuration = configuration
        var replayed: [ReplayedEntry] = []
        for (index, entry) in entries.enumerated() { replayed.append(try ReplayedEntry(entry, at: index)) }
        self.entries = replayed
    }

    /// Whether matching needs the requests' content.
    var needsBody: Bool { configuration.matching == .strict }

    /// Picks the entry that answers a request and counts it, in one step.
    func match(_ request: RecordedRequest) -> Match {
        switch configuration.matching {
        case .strict: matchNext(request)
        case .lenient: matchAny(request)
        }
    }

    var unmatchedReports: [String] { progress.withLock { $0.reports } }

    var unusedEntries: [HAR.Entry] { unused.map(\.entry) }

    var unusedNames: [String] { unused.map(\.name) }

    private var unused: [ReplayedEntry] {
        let hits = progress.withLock { $0.hits }
        return entries.filter { hits[$0.index] == nil }
    }

    // MARK: Matching

    private func matchNext(_ request: RecordedRequest) -> Match {
        let parts = URLParts(request.urlText)
        return progress.withLock { progress in
            guard progress.served < entries.count else {
                return unmatched(request, "all \(entries.count) entries have been served", &progress)
            }
            let next = entries[progress.served]
            let mismatches = next.mismatches(of: request, at: parts, configuration)
            guard mismatches.isEmpty else {
                let later = entries[(progress.served + 1)...].first {
                    $0.mismatches(of: request, at: parts, configuration).isEmpty
                }
                let hint = later.map { "\n  it is \($0.name), whose turn has not come" } ?? ""
                return unmatched(request, "Next is \(next.name)\(Self.lines(mismatches))\(hint)", &progress)
            }
            progress.served += 1
            return serve(next, &progress)
        }
    }

    private func matchAny(_ request: RecordedRequest) -> Match {
        let parts = URLParts(request.urlText)
        let candidates = entries.filter { $0.mismatches(of: request, at: parts, configuration).isEmpty }
        return progress.withLock { progress in
            if let entry = candidates.first(where: { progress.hits[$0.index] == nil }) ?? candidates.last {
                return serve(entry, &progress)
            }
            let judged = entries.map { ($0, $0.mismatches(of: request, at: parts, configuration)) }
            let nearest = judged.min { Self.distance($0.1) < Self.distance($1.1) }
            let difference = nearest.map { entry, mismatches in
                "Nearest of \(entries.count): \(entry.name)\(Self.lines(mismatches))"
            }
            return unmatched(request, difference ?? "it has none", &progress)
        }
    }

    private func serve(_ entry: ReplayedEntry, _ progress: inout Progress) -> Match {
        let hit = progress.hits[entry.index, default: 0] + 1
        progress.hits[entry.index] = hit
        return .entry(entry, hit: hit)
    }

    private func unmatched(_ request: RecordedRequest, _ reason: String, _ progress: inout Progress) -> Match {
        let report = "\(request.method) \(Redaction.url(request.urlText)) matches no entry of the HAR. \(reason)"
        progress.reports.append(report)
        return .unmatched(report)
    }

    private static func distance(_ mismatches: [Mismatch]) -> Int { mismatches.reduce(0) { $0 + $1.distance } }

    private static func lines(_ mismatches: [Mismatch]) -> String { mismatches.map { "\n\($0.line)" }.joined() }
}
