import AirframeCommandLine
import ArgumentParser

/// The content of a request from options, in addition to the items after its URL.
struct BodyOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        parsing: .unconditionalSingleValue,
        help: """
            The body, or @FILE for a file's content without its line ends, @- for standard input. Several are joined by &. \
            JSON and forms get their Content-Type.
            """
    )
    var data: [String] = []
    @Option(
        name: .customLong("data-raw"), parsing: .unconditional,
        help: "The body as it is, also if it begins with @.")
    var rawData: String?
    @Option(
        name: [.customShort("T"), .customLong("upload-file")],
        help: "Send this file as the body, by PUT, to the URL as it is; - for standard input.",
        completion: .file()
    )
    var uploadFile: String?
    @Flag(name: .shortAndLong, help: "Send fields as a form.") var form = false
    @Flag(name: .long, help: "Send fields as a multipart form.") var multipart = false

    func validate() throws {
        if hasBody {
            try RequestOptions.refuse(
                "--data, --data-raw and --upload-file are the whole body", ("--form", form), ("--multipart", multipart))
        }
        if form, multipart { throw ValidationError("--form and --multipart exclude each other") }
        let count = [!data.isEmpty, rawData != nil, uploadFile != nil].count { $0 }
        if count > 1 { throw ValidationError("a request has one body: give --data, --data-raw or --upload-file") }
    }

    var fieldEncoding: RequestParts.FieldEncoding { multipart ? .multipart : form ? .form : .json }

    /// Whether the options name a body.
    var hasBody: Bool { !data.isEmpty || rawData != nil || uploadFile != nil }
}
