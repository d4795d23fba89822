public import FoundationEssentials

extension HAR {
    /// A cookie that was sent or set.
    public struct Cookie: Sendable, Hashable, Codable {
        /// The name.
        public var name: String
        /// The value.
        public var value: String
        /// The path to which the cookie is restricted.
        public var path: String?
        /// The domain to which the cookie is restricted.
        public var domain: String?
        /// The expiry date.
        public var expires: Date?
        /// Whether scripts have no access to the cookie.
        public var httpOnly: Bool?
        /// Whether the cookie is sent only over TLS.
        public var secure: Bool?
        /// A comment.
        public var comment: String?
        /// Members outside the format.
        public var custom: [String: Value]

        /// Creates a cookie. Every parameter is the property of the same name.
        public init(
            name: String,
            value: String,
            path: String? = nil,
            domain: String? = nil,
            expires: Date? = nil,
            httpOnly: Bool? = nil,
            secure: Bool? = nil,
            comment: String? = nil,
            custom: [String: Value] = [:]
        ) {
            self.name = name
            self.value = value
            self.path = path
            self.domain = domain
            self.expires = expires
            self.httpOnly = httpOnly
            self.secure = secure
            self.comment = comment
            self.custom = custom
        }
    }
}

extension HAR.Cookie: HAR.Node {
    init(_ fields: inout HAR.Fields) throws(HAR.ReadingError) {
        name = try HAR.required("name", fields.text("name"))
        value = try fields.text("value") ?? ""
        path = try fields.text("path")
        domain = try fields.text("domain")
        // Tools write an empty text, or the text of the field, for a date that they cannot parse. It is ignored.
        expires = try fields.text("expires").flatMap(HAR.Timestamp.date)
        httpOnly = try fields.flag("httpOnly")
        secure = try fields.flag("secure")
        comment = try fields.text("comment")
        custom = fields.rest
    }

    func write(to object: inout HAR.TextWriter) {
        object.text("name", name)
        object.text("value", value)
        object.text("path", path)
        object.text("domain", domain)
        object.text("expires", expires.map(HAR.Timestamp.text))
        object.flag("httpOnly", httpOnly)
        object.flag("secure", secure)
        object.text("comment", comment)
        object.values(custom)
    }
}
