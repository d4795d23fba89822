extension HAR {
    /// A request as sent.
    public struct Request: Sendable, Hashable, Codable {
        /// The method.
        public var method: String
        /// The absolute URL, without a fragment.
        public var url: String
        /// The version of HTTP.
        public var httpVersion: String
        /// The cookies that were sent.
        public var cookies: [Cookie]
        /// The header fields in order.
        public var headers: [Header]
        /// The items of the URL's query, percent-decoded.
        public var queryString: [Header]
        /// The content.
        public var postData: PostData?
        /// The number of bytes from the start of the request to the empty line before the content; `nil` if unknown.
        public var headersSize: Int64?
        /// The number of bytes of the content on the wire; `nil` if unknown.
        public var bodySize: Int64?
        /// A comment.
        public var comment: String?
        /// Members outside the format.
        public var custom: [String: Value]

        /// Creates a request. Every parameter is the property of the same name.
        public init(
            method: String,
            url: String,
            httpVersion: String = "HTTP/1.1",
            cookies: [Cookie] = [],
            headers: [Header] = [],
            queryString: [Header] = [],
            postData: PostData? = nil,
            headersSize: Int64? = nil,
            bodySize: Int64? = nil,
            comment: String? = nil,
            custom: [String: Value] = [:]
        ) {
            self.method = method
            self.url = url
            self.httpVersion = httpVersion
            self.cookies = cookies
            self.headers = headers
            self.queryString = queryString
            self.postData = postData
            self.headersSize = headersSize
            self.bodySize = bodySize
            self.comment = comment
            self.custom = custom
        }
    }

    /// A name and a value: a header field, or a query item.
    public struct Header: Sendable, Hashable, Codable {
        /// The name.
        public var name: String
        /// The value.
        public var value: String
        /// A comment.
        public var comment: String?
        /// Members outside the format.
        public var custom: [String: Value]

        /// Creates a pair. Every parameter is the property of the same name.
        public init(name: String, value: String, comment: String? = nil, custom: [String: Value] = [:]) {
            self.name = name
            self.value = value
            self.comment = comment
            self.custom = custom
        }
    }
}

extension HAR.Request: HAR.Node {
    init(_ fields: inout HAR.Fields) throws(HAR.ReadingError) {
        method = try HAR.required("method", fields.text("method"))
        url = try HAR.required("url", fields.text("url"))
        httpVersion = try fields.text("httpVersion") ?? ""
        cookies = try fields.nodes("cookies")
        headers = try fields.nodes("headers")
        queryString = try fields.nodes("queryString")
        postData = try fields.node("postData")
        headersSize = try fields.size("headersSize")
        bodySize = try fields.size("bodySize")
        comment = try fields.text("comment")
        custom = fields.rest
    }

    func write(to object: inout HAR.TextWriter) {
        object.text("method", method)
        object.text("url", url)
        object.text("httpVersion", httpVersion)
        object.nodes("cookies", cookies)
        object.nodes("headers", headers)
        object.nodes("queryString", queryString)
        object.node("postData", postData)
        object.integer("headersSize", headersSize ?? -1)
        object.integer("bodySize", bodySize ?? -1)
        object.text("comment", comment)
        object.values(custom)
    }
}

extension HAR.Header: HAR.Node {
    init(_ fields: inout HAR.Fields) throws(HAR.ReadingError) {
        name = try HAR.required("name", fields.text("name"))
        value = try fields.text("value") ?? ""
        comment = try fields.text("comment")
        custom = fields.rest
    }

    func write(to object: inout HAR.TextWriter) {
        object.text("name", name)
        object.text("value", value)
        object.text("comment", comment)
        object.values(custom)
    }
}
