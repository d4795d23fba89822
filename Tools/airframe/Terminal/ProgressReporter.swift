import AirframeCommandLine
import Foundation
import Synchronization

/// A line on standard error about a transfer, drawn at most ten times a second; nothing where it is not a terminal.
final class ProgressReporter: Sendable {
    private struct DisplayState {
        var meter = TransferMeter()
        var lastDrawn = -1.0
        var isDrawn = false
        var count = 0
    }

    private let isEnabled: Bool
    private let start = ContinuousClock.now
    // Guards the meter, and keeps lines whole.
    private let state = Mutex(DisplayState())

    init(isEnabled: Bool) { self.isEnabled = isEnabled && Terminal.error.isTerminal }

    /// The number of reports.
    var count: Int { state.withLock { $0.count } }

    /// Shows how far a transfer is.
    func show(_ progress: Progress) {
        let elapsed = start.duration(to: .now) / .seconds(1)
        state.withLock { state in
            state.count += 1
            guard isEnabled else { return }
            state.meter.record(progress.completedUnitCount, of: progress.totalUnitCount, at: elapsed)
            guard elapsed - state.lastDrawn >= 0.1 || state.meter.fraction == 1 else { return }
            state.lastDrawn = elapsed
            state.isDrawn = true
            let line = ProgressLine.text(state.meter, width: Terminal.error.size.columns - 1, Terminal.error.style)
            Terminal.error.write("\r\u{1B}[K\(line)")
        }
    }

    /// Takes the line off the screen.
    func clear() {
        state.withLock { state in
            if state.isDrawn { Terminal.error.write("\r\u{1B}[K") }
            state.isDrawn = false
        }
    }
}
