extension HAR {
    /// A response as received.
    public struct Response: Sendable, Hashable, Codable {
        /// The status; 0 if there was no response.
        public var status: Int
        /// The reason phrase; empty in versions of HTTP without one.
        public var statusText: String
        /// The version of HTTP.
        public var httpVersion: String
        /// The cookies that were set.
        public var cookies: [Cookie]
        /// The header fields in order.
        public var headers: [Header]
        /// The content.
        public var content: Content
        /// The value of `Location`; empty without that field.
        public var redirectURL: String
        /// The number of bytes from the start of the response to the empty line before the content; `nil` if unknown.
        public var headersSize: Int64?
        /// The number of coded bytes of the content on the wire; `nil` if unknown, 0 if it came from a cache.
        public var bodySize: Int64?
        /// A comment.
        public var comment: String?
        /// Members outside the format.
        public var custom: [String: Value]

        /// Creates a response. Every parameter is the property of the same name.
        public init(
            status: Int,
            statusText: String = "",
            httpVersion: String = "HTTP/1.1",
            cookies: [Cookie] = [],
            headers: [Header] = [],
            content: Content = Content(),
            redirectURL: String = "",
            headersSize: Int64? = nil,
            bodySize: Int64? = nil,
            comment: String? = nil,
            custom: [String: Value] = [:]
        ) {
            self.status = status
            self.statusText = statusText
            self.httpVersion = httpVersion
            self.cookies = cookies
            self.headers = headers
            self.content = content
            self.redirectURL = redirectURL
            self.headersSize = headersSize
            self.bodySize = bodySize
            self.comment = comment
            self.custom = custom
        }
    }
}

extension HAR.Response: HAR.Node {
    init(_ fields: inout HAR.Fields) throws(HAR.ReadingError) {
        let number = try HAR.required("status", fields.size("status") ?? 0)
        guard let status = Int(exactly: number), (0...999).contains(status) else {
            throw HAR.ReadingError("\(number) is not a status").within("status")
        }
        self.status = status
        statusText = try fields.text("statusText") ?? ""
        httpVersion = try fields.text("httpVersion") ?? ""
        cookies = try fields.nodes("cookies")
        headers = try fields.nodes("headers")
        content = try fields.node("content") ?? HAR.Content()
        redirectURL = try fields.text("redirectURL") ?? ""
        headersSize = try fields.size("headersSize")
        bodySize = try fields.size("bodySize")
        comment = try fields.text("comment")
        custom = fields.rest
    }

    func write(to object: inout HAR.TextWriter) {
        object.integer("status", Int64(status))
        object.text("statusText", statusText)
        object.text("httpVersion", httpVersion)
        object.nodes("cookies", cookies)
        object.nodes("headers", headers)
        object.node("content", content)
        object.text("redirectURL", redirectURL)
        object.integer("headersSize", headersSize ?? -1)
        object.integer("bodySize", bodySize ?? -1)
        object.text("comment", comment)
        object.values(custom)
    }
}
