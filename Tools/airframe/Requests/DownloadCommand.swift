import Airframe
import AirframeCommandLine
import ArgumentParser
import Foundation

/// Downloads a file, or resumes a download that stopped.
struct DownloadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "download",
        abstract: "Download a file, with progress, and resume a download that stopped.",
        discussion: """
            EXAMPLES
              airframe download https://files.test/large.iso
              airframe download -o linux.iso https://files.test/large.iso
              airframe download --continue https://files.test/large.iso
              airframe download --resume --segments 4 --checksum sha-256:9f86… https://files.test/large.iso

            The name is the one that the server suggests, or else the URL's; it never
            leads out of the directory. A file that exists is not replaced without
            --force, and a directory never is. A download that fails or is
            interrupted leaves FILE.resume if the server can send the rest;
            --continue uses it, with the credentials and fields that are given
            again: it holds no secrets. Another file of that name is kept, and the
            download then cannot be continued.

            With --resume, --segments, --limit-rate or --checksum the state of the
            download is kept on the disk while it runs, and --resume continues it
            even after the process was killed. The file then has the name of -o, or
            the URL's, and is complete or absent at all times. Failures of the
            network and the statuses 408, 425, 429 and 5xx are retried, 4 times in
            a row without --retry.
            """
    )

    @Argument(help: "The URL.") var url: String
    @Argument(help: "Header fields and items of the query.") var items: [String] = []
    @Option(help: "The directory of the file, unless -o names it.", completion: .directory) var directory = "."
    @Flag(name: .customLong("continue"), help: "Continue an earlier download that left FILE.resume.") var continues =
        false
    @Option(help: "The hash that the file must have, 'sha-256:…'.") var checksum: String?
    @OptionGroup var transfer: TransferOptions
    @Flag(help: "Replace a file that exists.") var force = false
    @OptionGroup var options: RequestOptions

    func validate() throws {
        let output = options.output
        try RequestOptions.refuse(
            "a download is written to its file", ("--include", output.include), ("--json", output.json),
            ("--pretty", output.pretty != nil))
        if isResumable { try transfer.refuseStatuses(options) }
    }

    /// Whether the state of the download is kept on the disk.
    private var isResumable: Bool { transfer.areGiven || checksum != nil }

    func run() async throws {
        var options = options
        options.output.fail = true
        let outgoing = try OutgoingRequest(method: nil, url: url, items: items, options: options)
        if isResumable { return try await runResumably(outgoing) }
        let head = try outgoing.headWithData()
        let credential = outgoing.challengeCredential
        let prepared = try PreparedSession(options, for: outgoing)
        try await prepared.run { [self, options] in
            try await download(head, credential, prepared, quiet: options.output.quiet)
        }
    }

    /// Downloads through its own queue, whose state survives the process.
    private func runResumably(_ outgoing: OutgoingRequest) async throws {
        guard !outgoing.hasBody, !continues else {
            throw ValidationError(
                "--resume, --segments, --limit-rate and --checksum are for a GET without content and without --continue"
            )
        }
        let named = try namedFile()
        let (prepared, download) = try transfer.prepare(outgoing, options) { url in
            let name = RequestURL.fileName(url.lastPathComponent) ?? "download"
            let file = named ?? LocalFile.url(directory).appending(path: name)
            var description = DownloadDescription(file: file.absoluteURL.standardizedFileURL)
            description.segments = transfer.segments ?? 1
            description.replacesFile = force
            description.checksum = try checksum.map(Self.parsed)
            return TransferDescription(url: url, work: .download(description))
        }
        let reporter = ProgressReporter(isEnabled: !options.output.quiet)
        let isQuiet = options.output.quiet
        let limits = options.limits
        try await prepared.run {
            let ended = try await download.run(reporter, within: limits)
            if !isQuiet { try Self.report(ended) }
        }
    }

    private static func parsed(_ text: String) throws -> TransferChecksum {
        guard let checksum = TransferChecksum(text) else {
            throw ValidationError("'\(text)' is not a checksum: write 'sha-256:' and 64 hexadecimal digits")
        }
        return checksum
    }

    /// Writes a line about a transfer that has completed.
    static func report(_ transfer: Transfer) throws {
        let duration = Quantities.milliseconds(transfer.metrics.seconds * 1000)
        let name = URL(filePath: transfer.path).relativePath
        try StandardOutput.write(
            "\(name.safeForTerminals)  \(Quantities.bytes(transfer.completedBytes)) in \(duration)\n")
    }

    private func download(
        _ head: URLRequest,
        _ credential: URLCredential?,
        _ prepared: PreparedSession,
        quiet: Bool
    ) async throws {
        let named = try namedFile()
        let folder = LocalFile.url(directory)
        let known = named ?? folder.appending(path: RequestURL.fileName(head.url?.lastPathComponent) ?? "download")
        let resumeFile = ResumeFile(url: known.appendingPathExtension("resume"))
        try checkTarget(known, resumeFile)
        let destination: DownloadRequest.Destination = { temporary, response in
            // The body of an error response is not the requested file.
            if response.statusCode >= 400 { return (temporary, []) }
            let target = named ?? folder.appending(path: response.suggestedFilename ?? known.lastPathComponent)
            // The server chooses the name: --force replaces a file, and no directory with all its content.
            let replaces = force && !LocalFile.isSpecial(target.path)
            return (
                target,
                replaces ? [.removePreviousFile, .createIntermediateDirectories] : [.createIntermediateDirectories]
            )
        }
        let resumeData = try continues ? resumeFile.data(for: head) : nil
        let request =
            resumeData.map { data in
                prepared.session.download(
                    resumingWith: data, interceptor: ResumeFile.adapter(applying: head), to: destination)
            } ?? prepared.session.download(head, to: destination)
        if let credential { request.authenticate(with: credential) }
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
            resumeFile.remove()
            if !quiet { try report(download) }
            return
        }
        let resumeHint = download.resumeData.flatMap(resumeFile.store)
        if let status = download.response?.statusCode, status >= 400 {
            if let refusal = download.fileURL { try? FileManager.default.removeItem(at: refusal) }
            throw CommandFailure("the server answered \(status)", status: .httpError)
        }
        if case .downloadedFileMoveFailed(_, _, let target) = error, LocalFile.isSpecial(target.path) {
            throw Self.deviceFailure(target.relativePath)
        }
        let failure = CommandFailure(error)
        throw CommandFailure(failure.description, hint: resumeHint ?? failure.hint, status: failure.status)
    }

    /// The file that -o names.
    ///
    /// - Throws: ``CommandFailure`` for standard output and for devices: a download replaces its file when it is
    ///   complete.
    private func namedFile() throws -> URL? {
        guard let path = options.output.output else { return nil }
        guard options.output.target != nil, !LocalFile.isSpecial(path) else { throw Self.deviceFailure(path) }
        return LocalFile.target(path)
    }

    private static func deviceFailure(_ path: String) -> CommandFailure {
        var isDirectory: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: LocalFile.url(path).path, isDirectory: &isDirectory)
        let hint = isDirectory.boolValue ? "-o names another file" : "`airframe get -o \(path)` writes to it"
        return CommandFailure("\(path) is not a regular file", hint: hint, status: .write)
    }

    /// Fails if something is at the file's path that a download may not replace.
    private func checkTarget(_ target: URL, _ resumeFile: ResumeFile) throws {
        let path = target.relativePath
        guard !LocalFile.isSpecial(path) else { throw Self.deviceFailure(path) }
        guard !force, FileManager.default.fileExists(atPath: target.path) else { return }
        let isForeign = continues && !FileManager.default.fileExists(atPath: resumeFile.url.path)
        let reason = isForeign ? "without \(resumeFile.url.relativePath) it cannot be continued; " : ""
        throw CommandFailure("\(path) exists", hint: "\(reason)--force replaces it", status: .write)
    }

    private func report(_ download: AFDownloadResponse<URL>) throws {
        guard let url = download.value else { return }
        let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
        let size = (attributes?[.size] as? NSNumber)?.int64Value ?? 0
        let duration = download.metrics.map { " in \(Quantities.milliseconds($0.taskInterval.duration * 1000))" } ?? ""
        try StandardOutput.write("\(url.relativePath.safeForTerminals)  \(Quantities.bytes(size))\(duration)\n")
    }
}
