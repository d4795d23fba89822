import Airframe
import AirframeCommandLine
import ArgumentParser
import Foundation

/// Sends a file.
struct UploadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "upload",
        abstract: "Send a file, with progress; - sends standard input.",
        discussion: """
            EXAMPLES
              airframe upload backup.tar https://files.test/backup.tar
              tar c . | airframe upload - https://files.test/backup.tar
              airframe upload --method POST photo.jpg https://api.test/photos Content-Type:image/jpeg
              airframe upload --resume --tus --segments 4 video.mp4 https://files.test/uploads

            With --resume, --tus, --segments, --limit-rate or --checksum the upload is
            resumable (draft-ietf-httpbis-resumable-upload, or tus 1.0 with --tus): its
            state is kept on the disk while it runs, and --resume continues it even
            after the process was killed. The server's response is not shown then.
            """
    )

    @Argument(help: "The file.", completion: .file()) var file: String
    @Argument(help: "The URL; with --tus the URL that creates uploads.") var url: String
    @Argument(help: "Header fields and items of the query.") var items: [String] = []
    @Option(name: [.customShort("X"), .long], help: "The method.") var method = "PUT"
    @Flag(help: "Upload by tus 1.0.") var tus = false
    @Flag(help: "Send the file's SHA-256 (Repr-Digest), or with --tus a checksum of each part.") var checksum = false
    @OptionGroup var transfer: TransferOptions
    @OptionGroup var options: RequestOptions

    func validate() throws {
        if transfer.segments ?? 1 > 1, !tus { throw ValidationError("an upload in segments needs --tus") }
        let (body, output) = (options.body, options.output)
        try RequestOptions.refuse(
            "the file is the content", ("--data", !body.data.isEmpty), ("--data-raw", body.rawData != nil),
            ("--upload-file", body.uploadFile != nil), ("--form", body.form), ("--multipart", body.multipart))
        guard isResumable else { return }
        try RequestOptions.refuse(
            "a resumable upload does not show the response", ("--output", output.output != nil),
            ("--include", output.include), ("--json", output.json), ("--pretty", output.pretty != nil))
        try transfer.refuseStatuses(options)
    }

    /// Whether the state of the upload is kept on the disk.
    private var isResumable: Bool { transfer.areGiven || tus || checksum }

    func run() async throws {
        var options = options
        options.body.uploadFile = file
        let outgoing = try OutgoingRequest(method: method, url: url, items: items, options: options)
        if isResumable { return try await runResumably(outgoing) }
        try await RequestRunner(options: options).run(outgoing)
    }

    /// Uploads through its own queue, whose state survives the process.
    private func runResumably(_ outgoing: OutgoingRequest) async throws {
        guard case .file(let source) = outgoing.body, !LocalFile.isSpecial(file) else {
            throw ValidationError("only a regular file can be uploaded resumably, and '\(file)' is none")
        }
        let (prepared, upload) = try transfer.prepare(outgoing, options) { url in
            var description = UploadDescription(
                file: source.absoluteURL.standardizedFileURL, method: method,
                uploadProtocol: tus
                    ? .tus(TusOptions(sendsChecksums: checksum, parallelParts: transfer.segments ?? 1)) : .ietf)
            description.sendsDigest = checksum && !tus
            return TransferDescription(url: url, work: .upload(description))
        }
        let reporter = ProgressReporter(isEnabled: !options.output.quiet)
        let isQuiet = options.output.quiet
        let limits = options.limits
        try await prepared.run {
            let ended = try await upload.run(reporter, within: limits)
            if !isQuiet { try DownloadCommand.report(ended) }
        }
    }
}
