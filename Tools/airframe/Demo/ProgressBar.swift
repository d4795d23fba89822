import Foundation
import Synchronization

/// A bar on standard error that grows with a transfer; only a count where standard error is no terminal.
final class ProgressBar: Sendable {
    private let count = Atomic<Int>(0)
    private let isTerminal = isatty(FileHandle.standardError.fileDescriptor) == 1

    /// How many reports came.
    var reports: Int { count.load(ordering: .relaxed) }

    func show(_ progress: Progress) {
        count.add(1, ordering: .relaxed)
        guard isTerminal else { return }
        let filled = max(0, min(40, Int(progress.fractionCompleted * 40)))
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 40 - filled)
        FileHandle.standardError.write(Data("\r  \(bar) \(Int(progress.fractionCompleted * 100)) %".utf8))
    }

    /// Takes the bar off the screen.
    func clear() {
        if isTerminal { FileHandle.standardError.write(Data("\r\u{1B}[K".utf8)) }
    }
}
