import Airframe
import ArgumentParser
import Foundation

/// Downloads and uploads that outlive the process: for scripts and systemd units.
struct QueueCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "queue",
        abstract: "Keep downloads and uploads in a file, and carry them out.",
        discussion: """
            EXAMPLES
              airframe queue add ~/transfers.db https://api.test/large.iso -o large.iso --segments 4
              airframe queue add ~/transfers.db https://api.test/uploads --upload video.mp4
              airframe queue run ~/transfers.db --limit-rate 5M --quiet-hours 08:00-18:00
              airframe queue ls ~/transfers.db

            A transfer continues where it stood, whatever happened to the process, the connection or the network.
            """,
        subcommands: [
            QueueAdd.self, QueueRun.self, QueueList.self, QueuePause.self, QueueResume.self, QueueRemove.self,
            QueueWatch.self,
        ]
    )
}

/// The file of a queue, which all subcommands need.
struct QueueFile: ParsableArguments {
    @Argument(help: "The queue's file.") var queue: String

    /// Opens the queue.
    ///
    /// - Parameter mayCreate: Whether to create a missing file.
    func open(mayCreate: Bool, _ configuration: TransferQueue.Configuration = .init()) async throws -> TransferQueue {
        let url = URL(commandPath: queue)
        guard mayCreate || FileManager.default.fileExists(atPath: url.path) else {
            throw ValidationError("there is no queue \(queue)")
        }
        return try await TransferQueue(file: url, session: AF, configuration: configuration)
    }
}

/// The transfers that a subcommand is about.
struct QueueSelection: ParsableArguments {
    @Argument(help: "The numbers of the transfers.") var ids: [Int64] = []
    @Option(name: .long, help: "All transfers with this tag.") var tag: String?
    @Flag(name: .long, help: "All transfers.") var all = false

    func validate() throws {
        if [!ids.isEmpty, tag != nil, all].count(where: \.self) != 1 {
            throw ValidationError("name the numbers of transfers, or --tag, or --all")
        }
    }

    var selection: TransferSelection {
        if let tag { return .tag(tag) }
        return all ? .all : .ids(ids.map(TransferID.init(rawValue:)))
    }
}

extension URL {
    /// A path from the command line.
    init(commandPath path: String) { self.init(filePath: (path as NSString).expandingTildeInPath) }
}

/// A number of bytes from the command line: `500`, `500k`, `5M`, `1.5G`, in powers of 1024.
struct ByteCount: ExpressibleByArgument {
    let count: Int64

    init?(argument: String) {
        let units: [Character: Double] = ["k": 1024, "m": 1_048_576, "g": 1_073_741_824]
        let unit = argument.last.flatMap { units[Character($0.lowercased())] }
        guard let number = Double(unit == nil ? argument[...] : argument.dropLast()), number.isFinite, number > 0,
            number * (unit ?? 1) < 9e18
        else { return nil }
        count = Int64(number * (unit ?? 1))
    }
}
