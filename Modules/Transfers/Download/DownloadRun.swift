internal import AirframeCore
internal import AirframeTransport
internal import Foundation

/// One attempt of a download: fetches the missing bytes, checks the file and renames it.
struct DownloadRun: Sendable {
    private let attempt: TransferAttempt
    private let download: DownloadDescription

    init(_ attempt: TransferAttempt, _ download: DownloadDescription) {
        self.attempt = attempt
        self.download = download
    }

    private var destination: String { download.file.path }

    private var partPath: String { PartFile.path(for: destination, attempt.claim.id, in: attempt.store.identifier) }

    /// Runs the download with each source in turn until one succeeds.
    func run() async throws {
        let left = DownloadCheckpoint(reading: attempt.claim.checkpoint)
        if let left, try await finishPlacing(left) { return }
        if !download.replacesFile, PartFile.inode(of: destination) != nil {
            throw TransferError(.destinationExists, "the file \(destination) already exists")
        }
        let file = try PartFile(path: partPath)
        var checkpoint = left.flatMap { $0.inode == file.inode && $0.extent <= file.size ? $0 : nil }
        for (index, source) in sources(after: left?.source).enumerated() {
            do {
                let fetch = SegmentedFetch(attempt, download, file, source, usable(checkpoint, for: source))
                try await fetch.run()
                return try await finish(fetch.checkpoint, file)
            } catch {
                let error = TransferError.wrapping(error)
                checkpoint = DownloadCheckpoint(reading: attempt.checkpoint.data)
                let isLast = index == download.mirrors.count
                guard !isLast, [.network, .unavailable, .refused, .integrity].contains(error.kind), !Task.isCancelled
                else { throw error }
            }
        }
    }

    /// Removes the temporary file.
    func discard() { PartFile.remove(partPath) }

    /// The URL and its mirrors, starting with the one that was used last.
    private func sources(after last: URL?) -> [URL] {
        let all = [attempt.claim.description.url] + download.mirrors
        guard let last, let index = all.firstIndex(of: last) else { return all }
        return Array(all[index...] + all[..<index])
    }

    /// Returns the state of an earlier attempt if bytes of `source` may follow it. Validators identify the bytes of
    /// one server; bytes of two servers are combined only if a given checksum verifies the whole.
    private func usable(_ checkpoint: DownloadCheckpoint?, for source: URL) -> DownloadCheckpoint? {
        guard var checkpoint else { return nil }
        guard checkpoint.source != source else { return checkpoint }
        guard download.checksum != nil, checkpoint.map != nil else { return nil }
        checkpoint.source = source
        checkpoint.entityTag = nil
        checkpoint.lastModified = nil
        checkpoint.digest = nil
        return checkpoint
    }

    // MARK: Completion

    /// Checks the bytes and renames the file.
    private func finish(_ checkpoint: DownloadCheckpoint, _ file: PartFile) async throws {
        var checkpoint = checkpoint
        do {
            try await check(checkpoint, file)
        } catch let error as TransferError where error.kind == .integrity {
            // The position of the wrong bytes is unknown: the next attempt restarts, with the next mirror if there is
            // one.
            let all = [attempt.claim.description.url] + download.mirrors
            let index = all.firstIndex(of: checkpoint.source) ?? 0
            let anew = DownloadCheckpoint(source: all[(index + 1) % all.count], inode: file.inode)
            try await attempt.reset(to: anew.encoded)
            try file.truncate(to: 0)
            throw error
        }
        checkpoint.isVerified = true
        attempt.note(checkpoint.encoded, completed: checkpoint.completed, total: checkpoint.completed)
        // A process that is killed after the rename recognizes the file by this record.
        try await attempt.save()
        try await place(file)
        attempt.note(nil, completed: checkpoint.completed, total: checkpoint.completed)
    }

    private func place(_ file: PartFile) async throws {
        let (destination, replaces) = (destination, download.replacesFile)
        try await WorkerThreads.files.result { try file.place(at: destination, replacing: replaces) }
    }

    /// Completes a download whose bytes were complete and checked when its process was killed.
    private func finishPlacing(_ left: DownloadCheckpoint) async throws -> Bool {
        guard left.isVerified else { return false }
        if PartFile.exists(at: partPath, inode: left.inode, size: left.completed) {
            try await place(try PartFile(path: partPath))
        } else if !PartFile.exists(at: destination, inode: left.inode, size: left.completed) {
            return false
        }
        attempt.note(nil, completed: left.completed, total: left.completed)
        return true
    }

    private func check(_ checkpoint: DownloadCheckpoint, _ file: PartFile) async throws {
        let count = checkpoint.completed
        if let size = download.size, size != count {
            throw TransferError(.integrity, "the download of \(destination) has \(count) bytes and should have \(size)")
        }
        var found: [TransferChecksum.Algorithm: Data] = [:]
        for expected in [download.checksum, checkpoint.digest].compactMap(\.self) {
            let bytes: Data
            if let known = found[expected.algorithm] {
                bytes = known
            } else {
                bytes = try await FileHash.bytes(of: file.path, count: count, expected.algorithm)
            }
            found[expected.algorithm] = bytes
            guard bytes == expected.bytes else {
                let actual = TransferChecksum(expected.algorithm, bytes: bytes)
                throw TransferError(
                    .integrity, "the download of \(destination) has the hash \(actual) and should have \(expected)")
            }
        }
    }
}
