public import FoundationEssentials

extension HAR {
    /// A whole archive: its creator and its exchanges.
    public struct Log: Sendable, Hashable, Codable {
        /// The version of the format.
        public var version: String
        /// The program that created the archive.
        public var creator: Creator
        /// The program that made the exchanges, if it is not the creator.
        public var browser: Creator?
        /// The pages of the entries.
        public var pages: [Page]
        /// The exchanges. Readers must not rely on their order: some tools sort them by start, others by end.
        public var entries: [Entry]
        /// A comment.
        public var comment: String?
        /// Members outside the format.
        public var custom: [String: Value]

        /// Creates an archive. Every parameter is the property of the same name.
        public init(
            version: String = "1.2",
            creator: Creator = .airframe,
            browser: Creator? = nil,
            pages: [Page] = [],
            entries: [Entry] = [],
            comment: String? = nil,
            custom: [String: Value] = [:]
        ) {
            self.version = version
            self.creator = creator
            self.browser = browser
            self.pages = pages
            self.entries = entries
            self.comment = comment
            self.custom = custom
        }
    }

    /// A program by name and version.
    public struct Creator: Sendable, Hashable, Codable {
        /// The name.
        public var name: String
        /// The version.
        public var version: String
        /// A comment.
        public var comment: String?
        /// Members outside the format.
        public var custom: [String: Value]

        /// Creates a program. Every parameter is the property of the same name.
        public init(name: String, version: String, comment: String? = nil, custom: [String: Value] = [:]) {
            self.name = name
            self.version = version
            self.comment = comment
            self.custom = custom
        }

        /// This library.
        public static let airframe = Creator(name: "Airframe", version: "0.1.0")
    }
}

// MARK: Files

extension HAR.Log {
    /// Parses an archive.
    ///
    /// - Parameters:
    ///   - data: The archive in UTF-8, with or without a byte order mark.
    ///   - recovering: Whether to recover the complete entries of a truncated archive, for example if its writer was
    ///     killed.
    /// - Throws: ``HAR/ReadingError``, which names the entry and the field.
    public init(_ data: Data, recovering: Bool = false) throws(HAR.ReadingError) {
        let document = try HAR.Parser.parse(data, recovering: recovering)
        var fields = try HAR.Fields(document)
        guard let log: HAR.Log = try fields.node("log") else {
            throw HAR.ReadingError("the member “log” is missing, which contains the archive")
        }
        self = log
    }

    /// Reads an archive from a file.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - recovering: Whether to recover the complete entries of a truncated archive.
    /// - Throws: ``HAR/ReadingError``, also if the file cannot be read.
    public init(contentsOf file: URL, recovering: Bool = false) throws(HAR.ReadingError) {
        let data: Data
        do {
            data = try Data(contentsOf: file)
        } catch {
            throw HAR.ReadingError("\(file.path) cannot be read: \(error)")
        }
        try self.init(data, recovering: recovering)
    }

    /// An archive as the root object of a file.
    public var data: Data {
        var writer = HAR.TextWriter()
        writer.object { $0.node("log", self) }
        return Data(writer.bytes)
    }
}

extension HAR.Log: HAR.Node {
    init(_ fields: inout HAR.Fields) throws(HAR.ReadingError) {
        version = try fields.text("version") ?? "1.1"
        creator = try fields.node("creator") ?? HAR.Creator(name: "", version: "")
        browser = try fields.node("browser")
        pages = try fields.nodes("pages")
        entries = try fields.nodes("entries")
        comment = try fields.text("comment")
        custom = fields.rest
    }

    func write(to object: inout HAR.TextWriter) {
        object.text("version", version)
        object.node("creator", creator)
        object.node("browser", browser)
        object.nodes("pages", pages)
        object.text("comment", comment)
        object.values(custom)
        object.nodes("entries", entries)
    }
}

extension HAR.Creator: HAR.Node {
    init(_ fields: inout HAR.Fields) throws(HAR.ReadingError) {
        name = try fields.text("name") ?? ""
        version = try fields.text("version") ?? ""
        comment = try fields.text("comment")
        custom = fields.rest
    }

    func write(to object: inout HAR.TextWriter) {
        object.text("name", name)
        object.text("version", version)
        object.text("comment", comment)
        object.values(custom)
    }
}
