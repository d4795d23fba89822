internal import CBenchmark

/// What the command line asks a benchmark program to do.
public struct Settings: Sendable {
    /// What one request does.
    public enum Work: String, Sendable {
        /// A GET whose body is read.
        case get
        /// A GET whose body is decoded into a ``Sample``.
        case json
        /// A GET of a large body, which is thrown away as it comes.
        case download
        /// The same, written to a file.
        case downloadFile = "download-file"
        /// A PUT of a file.
        case upload
        /// A GET on its own connection.
        case newConnection = "new-connection"
    }

    /// The server of the requests.
    public let url: String
    /// What each does.
    public let work: Work
    /// The PEM file with the root to trust.
    public let root: String?
    /// The file to upload.
    public let file: String?
    /// What the program may choose between; its own default if `nil`.
    public let engine: String?
    /// The part of the client's API that is measured; the program's default if `nil`.
    public let face: String?
    /// Whether to speak HTTP/2.
    public let speaksHTTP2: Bool
    /// How many requests are measured.
    public let requests: Int
    /// How many requests are in flight concurrently.
    public let concurrency: Int

    let options: benchmark_options

    /// Reads the command line; ends the program with 64 when it does not fit.
    public init() {
        options = benchmark_parse(CommandLine.argc, CommandLine.unsafeArgv)
        url = String(cString: options.url)
        guard let work = Work(rawValue: String(cString: options.work)) else {
            refuse("this program does not know the work \(String(cString: options.work))")
        }
        self.work = work
        root = options.root.map { String(cString: $0) }
        file = options.file.map { String(cString: $0) }
        engine = options.engine.map { String(cString: $0) }
        face = options.face.map { String(cString: $0) }
        speaksHTTP2 = options.http == 2
        requests = options.requests
        concurrency = options.concurrency
    }

    /// The one of `Choice`'s cases that the command line names.
    ///
    /// - Parameters:
    ///   - option: The option, for the message about an unknown case.
    ///   - value: What the command line has for it.
    ///   - standard: The choice when there is nothing.
    public func choice<Choice: RawRepresentable & CaseIterable>(
        _ option: String,
        _ value: String?,
        default standard: Choice
    ) -> Choice where Choice.RawValue == String {
        guard let value else { return standard }
        guard let choice = Choice(rawValue: value) else {
            let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            refuse("\(option) \(value) is not one of \(known)")
        }
        return choice
    }
}

/// Ends the program with a message about its arguments.
public func refuse(_ sentence: String) -> Never {
    benchmark_refuse(sentence)
}
