import Airframe
import AirframeCommandLine
import ArgumentParser
import Foundation

/// Downloads a file, and goes on with one that broke off.
struct DownloadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "download",
        abstract: "Download a file, with progress, and resume one that broke off.",
        discussion: """
            EXAMPLES
              airframe download https://files.test/large.iso
              airframe download -o linux.iso https://files.test/large.iso
              airframe download --continue https://files.test/large.iso

            The name is the one that the server suggests, or else the URL's; it never
            leads out of the directory. A file that exists is not replaced without
            --force. A download that breaks off or is interrupted leaves FILE.resume,
            if the server can send the rest: --continue takes it up.
            """
    )

    @Argument(help: "The URL.") var url: String
    @Argument(help: "Header fields and items of the query.") var items: [String] = []
    @Option(help: "The directory of the file, unless -o names it.", completion: .directory) var directory = "."
    @Flag(name: .customLong("continue"), help: "Go on where an earlier download broke off.") var continues = false
    @Flag(help: "Replace a file that exists.") var force = false
    @OptionGroup var options: RequestOptions

    func run() async throws {
        var options = options
        options.output.fail = true
        let outgoing = try OutgoingRequest(method: nil, url: url, items: items, options: options)
        let prepared = try PreparedSession(options, removedHeaders: outgoing.removedHeaders)
        try await Interruption.cancelling { [self, options] in
            do {
                try await download(outgoing, prepared, quiet: options.output.quiet)
                try await prepared.finish()
            } catch {
                try? await prepared.finish()
                throw error
            }
        }
    }

    private func download(_ outgoing: OutgoingRequest, _ prepared: PreparedSession, quiet: Bool) async throws {
        var head = outgoing.head
        if case .data(let data) = outgoing.body { head.httpBody = data }
        let named = options.output.output.map(LocalFile.url)
        let folder = LocalFile.url(directory)
        let fallback = head.url.flatMap { $0.lastPathComponent == "/" ? nil : $0.lastPathComponent } ?? "download"
        let known = named ?? folder.appending(path: fallback.isEmpty ? "download" : fallback)
        let resumeFile = known.appendingPathExtension("resume")
        if !force, FileManager.default.fileExists(atPath: known.path) {
            throw CommandFailure("\(known.relativePath) exists", hint: "--force replaces it", status: .write)
        }
        let destination: DownloadRequest.Destination = { temporary, response in
            // The body of an error response is not the requested file.
            if response.statusCode >= 400 { return (temporary, []) }
            let target = named ?? folder.appending(path: response.suggestedFilename ?? known.lastPathComponent)
            return (
                target,
                force ? [.removePreviousFile, .createIntermediateDirectories] : [.createIntermediateDirectories]
            )
        }
        let resumeData = continues ? try? Data(contentsOf: resumeFile) : nil
        let request =
            resumeData.map { prepared.session.download(resumingWith: $0, to: destination) }
            ?? prepared.session.download(head, to: destination)
        if let credential = outgoing.challengeCredential { request.authenticate(with: credential) }
        let progress = ProgressReporter(isEnabled: !quiet)
        request.validate().downloadProgress(queue: .global()) { progress.show($0) }
        let task = request.serializingDownloadedFileURL(automaticallyCancelling: false)
        let download = await withTaskCancellationHandler {
            await task.response
        } onCancel: {
            request.cancel(producingResumeData: true)
        }
        progress.clear()
        await prepared.diagnostics.flush()
        guard let error = download.error else {
            try? FileManager.default.removeItem(at: resumeFile)
            if !quiet { try report(download) }
            return
        }
        let isSaved = save(download.resumeData, in: resumeFile)
        if let status = download.response?.statusCode, status >= 400 {
            if let refusal = download.fileURL { try? FileManager.default.removeItem(at: refusal) }
            throw CommandFailure("the server answered \(status)", status: .httpError)
        }
        let failure = CommandFailure(error)
        let hint = isSaved ? "--continue takes it up where it broke off" : failure.hint
        throw CommandFailure(failure.description, hint: hint, status: failure.status)
    }

    private func report(_ download: AFDownloadResponse<URL>) throws {
        guard let url = download.value else { return }
        let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
        let size = (attributes?[.size] as? NSNumber)?.int64Value ?? 0
        let duration = download.metrics.map { " in \(Quantities.milliseconds($0.taskInterval.duration * 1000))" } ?? ""
        try StandardOutput.write("\(url.relativePath.safeForTerminals)  \(Quantities.bytes(size))\(duration)\n")
    }

    /// Keeps what a later run needs to go on, for the user's eyes only: it holds the request's fields.
    private func save(_ data: Data?, in file: URL) -> Bool {
        guard let data else { return false }
        return FileManager.default.createFile(
            atPath: file.path, contents: data, attributes: [.posixPermissions: 0o600])
    }
}
