public import FoundationEssentials

extension HAR {
    /// The content of a response, without its content codings.
    public struct Content: Sendable, Hashable, Codable {
        /// The number of bytes of the decoded content.
        public var size: Int64
        /// The number of bytes that the content codings saved; `nil` without codings.
        public var compression: Int64?
        /// The media type in the form of `Content-Type`; `x-unknown` without that field.
        public var mimeType: String
        /// The content as text, or in the encoding that ``encoding`` names; `nil` if it was not recorded.
        public var text: String?
        /// `base64` for content that is not text.
        public var encoding: String?
        /// A comment.
        public var comment: String?
        /// Members outside the format.
        public var custom: [String: Value]

        /// Creates content. Every parameter is the property of the same name.
        public init(
            size: Int64 = 0,
            compression: Int64? = nil,
            mimeType: String = "x-unknown",
            text: String? = nil,
            encoding: String? = nil,
            comment: String? = nil,
            custom: [String: Value] = [:]
        ) {
            self.size = size
            self.compression = compression
            self.mimeType = mimeType
            self.text = text
            self.encoding = encoding
            self.comment = comment
            self.custom = custom
        }

        /// The bytes of the content; `nil` if it was not recorded.
        ///
        /// - Throws: ``HAR/ReadingError`` if the text is not in its declared encoding, or the encoding is unknown.
        public func data() throws(ReadingError) -> Data? {
            try text.map { text throws(ReadingError) in try HAR.data(of: text, in: encoding) }
        }
    }

    static func data(of text: String, in encoding: String?) throws(ReadingError) -> Data {
        switch encoding?.lowercased() ?? "" {
        case "": return Data(text.utf8)
        case "base64":
            guard let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters) else {
                throw ReadingError("the text is not in base64").within("text")
            }
            return data
        case let other: throw ReadingError("the encoding “\(other)” is not known").within("encoding")
        }
    }
}

extension HAR.Content: HAR.Node {
    init(_ fields: inout HAR.Fields) throws(HAR.ReadingError) {
        text = try fields.text("text")
        size = try fields.size("size") ?? Int64(text?.utf8.count ?? 0)
        compression = try fields.integer("compression")
        mimeType = try fields.text("mimeType") ?? "x-unknown"
        encoding = try fields.text("encoding")
        comment = try fields.text("comment")
        custom = fields.rest
    }

    func write(to object: inout HAR.TextWriter) {
        object.integer("size", size)
        if let compression { object.integer("compression", compression) }
        object.text("mimeType", mimeType)
        object.text("text", text)
        object.text("encoding", encoding)
        object.text("comment", comment)
        object.values(custom)
    }
}
