internal import AirframeCore
internal import AirframeTransport
public import Foundation

extension TransferQueue {
    /// The events of transfers of this process from now on. A slow observer misses the oldest events.
    public var events: AsyncStream<TransferEvent> { observers.events() }

    /// Returns the progress of transfers in all processes. That of other processes is as of their last checkpoint.
    ///
    /// - Parameter selection: The transfers.
    /// - Throws: ``TransferError/Kind/store``.
    public func currentProgress(of selection: TransferSelection = .all) async throws -> TransferProgress {
        let sum = try await store.sum(selection)
        let live = try await runner.liveBytes(selection)
        var progress = TransferProgress()
        progress.completedBytes = max(0, sum.completed + live)
        progress.totalBytes = sum.isTotalKnown ? max(sum.total, progress.completedBytes) : nil
        progress.counts = sum.counts
        return progress
    }

    /// Returns a sequence of the progress, with the smoothed rate and the remaining time. It ends when all transfers
    /// have ended, or when the queue cannot be read.
    ///
    /// - Parameters:
    ///   - selection: The transfers.
    ///   - interval: The time between two elements.
    public func progress(
        of selection: TransferSelection = .all,
        every interval: Duration = .milliseconds(500)
    ) -> AsyncStream<TransferProgress> {
        let clock = runner.clock
        return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task { [weak self] in
                var rate = RateEstimate()
                while !Task.isCancelled, var progress = try? await self?.currentProgress(of: selection) {
                    rate.add(progress.completedBytes, at: clock.now)
                    progress.bytesPerSecond = rate.bytesPerSecond
                    progress.secondsLeft = progress.totalBytes.flatMap {
                        rate.seconds(for: $0 - progress.completedBytes)
                    }
                    continuation.yield(progress)
                    guard !progress.isFinished, (try? await clock.sleep(for: interval)) != nil else { break }
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// Returns a `Progress` that follows transfers until all have ended. Cancelling it cancels the transfers.
    ///
    /// - Parameter selection: The transfers.
    public func foundationProgress(of selection: TransferSelection = .all) -> Progress {
        let progress = Progress(totalUnitCount: -1)
        progress.kind = .file
        let task = Task { [weak self] in
            guard let elements = self?.progress(of: selection) else { return }
            for await element in elements {
                // Foundation traps if the total is set to 0 after units have completed.
                if let total = element.totalBytes, total > 0 { progress.totalUnitCount = total }
                progress.completedUnitCount = element.completedBytes
            }
        }
        progress.cancellationHandler = { [weak self] in
            task.cancel()
            Task { try? await self?.cancel(selection) }
        }
        return progress
    }
}
