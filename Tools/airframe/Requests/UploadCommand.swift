import AirframeCommandLine
import ArgumentParser

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
            """
    )

    @Argument(help: "The file.", completion: .file()) var file: String
    @Argument(help: "The URL.") var url: String
    @Argument(help: "Header fields and items of the query.") var items: [String] = []
    @Option(name: [.customShort("X"), .long], help: "The method.") var method = "PUT"
    @OptionGroup var options: RequestOptions

    func run() async throws {
        var options = options
        options.body.uploadFile = file
        let outgoing = try OutgoingRequest(method: method, url: url, items: items, options: options)
        try await RequestRunner(options: options).run(outgoing)
    }
}
