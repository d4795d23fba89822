import Airframe
import ArgumentParser

/// `airframe queue pause QUEUE`
struct QueuePause: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause", abstract: "Pause transfers, in whichever process they run.")
    @OptionGroup var file: QueueFile
    @OptionGroup var which: QueueSelection

    func run() async throws { try await file.open(mayCreate: false).pause(which.selection) }
}

/// `airframe queue resume QUEUE`
struct QueueResume: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Resume paused transfers, and begin failed ones again.")
    @OptionGroup var file: QueueFile
    @OptionGroup var which: QueueSelection

    func run() async throws {
        let queue = try await file.open(mayCreate: false)
        try await queue.resume(which.selection)
        try await queue.retry(which.selection)
    }
}

/// `airframe queue rm QUEUE`
struct QueueRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rm", abstract: "Cancel transfers that have not completed, and remove them from the queue.")
    @OptionGroup var file: QueueFile
    @OptionGroup var which: QueueSelection

    func run() async throws {
        let queue = try await file.open(mayCreate: false)
        try await queue.cancel(which.selection)
        // A transfer that another process runs is removed once that process has released it.
        while true {
            try await queue.removeEnded(which.selection)
            if try await queue.transfers(which.selection, limit: 1).isEmpty { return }
            try await Task.sleep(for: .milliseconds(100))
        }
    }
}

/// `airframe queue watch QUEUE`
struct QueueWatch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Show the progress of a queue that another process carries out, until all transfers have ended.")
    @OptionGroup var file: QueueFile

    func run() async throws {
        let queue = try await file.open(mayCreate: false)
        guard TerminalBars.isTerminal else {
            for await progress in queue.progress() { try StandardOutput.write(TerminalBars.line(progress) + "\n") }
            return
        }
        try await TerminalBars.show(queue)
    }
}
