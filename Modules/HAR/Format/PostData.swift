public import FoundationEssentials

extension HAR {
    /// The content of a request: form parameters or text.
    public struct PostData: Sendable, Hashable, Codable {
        /// The media type.
        public var mimeType: String
        /// The parameters of a form.
        public var params: [Parameter]
        /// The content as text, unless it is a form.
        public var text: String?
        /// `base64` for content that is not text. The format lacks this member; it is written as `_encoding`.
        public var encoding: String?
        /// A comment.
        public var comment: String?
        /// Members outside the format.
        public var custom: [String: Value]

        /// Creates content. Every parameter is the property of the same name.
        public init(
            mimeType: String,
            params: [Parameter] = [],
            text: String? = nil,
            encoding: String? = nil,
            comment: String? = nil,
            custom: [String: Value] = [:]
        ) {
            self.mimeType = mimeType
            self.params = params
            self.text = text
            self.encoding = encoding
            self.comment = comment
            self.custom = custom
        }

        /// The bytes of content that is recorded as text; `nil` for a form that is recorded by its parameters.
        ///
        /// - Throws: ``HAR/ReadingError`` if the text is not in its declared encoding, or the encoding is unknown.
        public func data() throws(ReadingError) -> Data? {
            guard let text, !text.isEmpty || params.isEmpty else { return nil }
            return try HAR.data(of: text, in: encoding)
        }
    }

    /// A parameter of a form.
    public struct Parameter: Sendable, Hashable, Codable {
        /// The name.
        public var name: String
        /// The value, or the content of a file.
        public var value: String?
        /// The name of a file.
        public var fileName: String?
        /// The media type of a file.
        public var contentType: String?
        /// A comment.
        public var comment: String?
        /// Members outside the format.
        public var custom: [String: Value]

        /// Creates a parameter. Every parameter is the property of the same name.
        public init(
            name: String,
            value: String? = nil,
            fileName: String? = nil,
            contentType: String? = nil,
            comment: String? = nil,
            custom: [String: Value] = [:]
        ) {
            self.name = name
            self.value = value
            self.fileName = fileName
            self.contentType = contentType
            self.comment = comment
            self.custom = custom
        }
    }
}

extension HAR.PostData: HAR.Node {
    init(_ fields: inout HAR.Fields) throws(HAR.ReadingError) {
        mimeType = try fields.text("mimeType") ?? ""
        params = try fields.nodes("params")
        text = try fields.text("text")
        encoding = try fields.text("_encoding")
        comment = try fields.text("comment")
        custom = fields.rest
    }

    func write(to object: inout HAR.TextWriter) {
        object.text("mimeType", mimeType)
        // The format requires both members; only one of them has a value.
        object.nodes("params", params)
        object.text("text", text ?? "")
        object.text("_encoding", encoding)
        object.text("comment", comment)
        object.values(custom)
    }
}

extension HAR.Parameter: HAR.Node {
    init(_ fields: inout HAR.Fields) throws(HAR.ReadingError) {
        name = try HAR.required("name", fields.text("name"))
        value = try fields.text("value")
        fileName = try fields.text("fileName")
        contentType = try fields.text("contentType")
        comment = try fields.text("comment")
        custom = fields.rest
    }

    func write(to object: inout HAR.TextWriter) {
        object.text("name", name)
        object.text("value", value)
        object.text("fileName", fileName)
        object.text("contentType", contentType)
        object.text("comment", comment)
        object.values(custom)
    }
}
