public import FoundationEssentials

extension HAR {
    /// The content of a request: the parameters of a form, or a text.
    public struct PostData: Sendable, Hashable, Codable {
        /// The media type.
        public var mimeType: String
        /// The parameters of a form.
        public var params: [Parameter]
        /// The content as a text, where it is no form.
        public var text: String?
        /// `base64` for content that is no text: an addition to the format, written as `_encoding`.
        public var encoding: String?
        /// A remark.
        public var comment: String?
        /// What the format does not name.
        public var custom: [String: Value]

        /// Describes content.
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

        /// The bytes of a content that is recorded as a text; `nil` for a form that is recorded by its parameters.
        ///
        /// - Throws: ``HAR/ReadingError`` when the text is not in the encoding that it claims, or that one is unknown.
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
        /// A remark.
        public var comment: String?
        /// What the format does not name.
        public var custom: [String: Value]

        /// Describes a parameter.
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
        // The format wants both names; only one of them holds something.
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
