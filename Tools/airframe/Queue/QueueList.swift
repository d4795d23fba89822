import Airframe
import ArgumentParser
import Foundation

/// `airframe queue ls QUEUE`
struct QueueList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ls", abstract: "List the transfers: number, state, bytes, file, URL, and why one failed.")
    @OptionGroup var file: QueueFile
    @Option(name: .long, help: "Only those with this tag.") var tag: String?
    @Flag(name: .customLong("show-secrets"), help: "Do not hide secrets in URLs.") var showsSecrets = false

    func run() async throws {
        let queue = try await file.open(mayCreate: false)
        var last: TransferID?
        // In batches, so that a long queue needs no more memory than a short one.
        while true {
            let transfers = try await queue.transfers(tag.map { .tag($0) } ?? .all, after: last, limit: 1000)
            guard !transfers.isEmpty else { return }
            try StandardOutput.write(transfers.map(line).joined())
            last = transfers.last?.id
        }
    }

    private func line(_ transfer: Transfer) -> String {
        let url = transfer.url?.absoluteString ?? ""
        let columns = [
            "\(transfer.id)", "\(transfer.state)",
            "\(transfer.completedBytes)/\(transfer.totalBytes.map { "\($0)" } ?? "?")",
            transfer.isUpload ? "up" : "down", transfer.path, showsSecrets ? url : RedactionPolicy.standard.url(url),
            transfer.error ?? "",
        ]
        return columns.map(\.printable).joined(separator: "\t") + "\n"
    }
}
