public import FoundationEssentials

extension HAR {
    /// One exchange: a request, its response, and how long each phase took.
    ///
    /// A redirect, a retry or an answered challenge is an entry of its own. An exchange that failed has a response with
    /// the status 0.
    public struct Entry: Sendable, Hashable, Codable {
        /// The page that the exchange belongs to, by its ``Page/id``.
        public var pageref: String?
        /// When the exchange began.
        public var startedDateTime: Date
        /// How long it took, in milliseconds: the sum of its timings.
        public var time: Double
        /// The request.
        public var request: Request
        /// The response.
        public var response: Response
        /// What a cache held.
        public var cache: Cache
        /// How long each phase took.
        public var timings: Timings
        /// The address that was connected to.
        public var serverIPAddress: String?
        /// What tells the connection from others, such as a number.
        public var connection: String?
        /// A remark.
        public var comment: String?
        /// What the format does not name.
        public var custom: [String: Value]

        /// Describes an exchange.
        public init(
            pageref: String? = nil,
            startedDateTime: Date,
            time: Double,
            request: Request,
            response: Response,
            cache: Cache = Cache(),
            timings: Timings,
            serverIPAddress: String? = nil,
            connection: String? = nil,
            comment: String? = nil,
            custom: [String: Value] = [:]
        ) {
            self.pageref = pageref
            self.startedDateTime = startedDateTime
            self.time = time
            self.request = request
            self.response = response
            self.cache = cache
            self.timings = timings
            self.serverIPAddress = serverIPAddress
            self.connection = connection
            self.comment = comment
            self.custom = custom
        }
    }
}

extension HAR.Entry: HAR.Node {
    init(_ fields: inout HAR.Fields) throws(HAR.ReadingError) {
        pageref = try fields.text("pageref")
        startedDateTime = try HAR.required("startedDateTime", fields.date("startedDateTime"))
        request = try HAR.required("request", fields.node("request"))
        response = try HAR.required("response", fields.node("response"))
        cache = try fields.node("cache") ?? HAR.Cache()
        timings = try fields.node("timings") ?? HAR.Timings()
        time = try fields.measure("time") ?? timings.total
        serverIPAddress = try fields.text("serverIPAddress")
        connection = try fields.text("connection")
        comment = try fields.text("comment")
        custom = fields.rest
    }

    func write(to object: inout HAR.TextWriter) {
        object.text("pageref", pageref)
        object.text("startedDateTime", HAR.Timestamp.text(startedDateTime))
        object.number("time", time)
        object.node("request", request)
        object.node("response", response)
        object.node("cache", cache)
        object.node("timings", timings)
        object.text("serverIPAddress", serverIPAddress)
        object.text("connection", connection)
        object.text("comment", comment)
        object.values(custom)
    }
}
