public import FoundationEssentials

extension HAR {
    /// One exchange: a request, its response, and the duration of each phase.
    ///
    /// A redirect, a retry or an answered challenge has its own entry. An exchange that failed has a response
    /// with status 0.
    public struct Entry: Sendable, Hashable, Codable {
        /// The ``Page/id`` of the exchange's page.
        public var pageref: String?
        /// The start of the exchange.
        public var startedDateTime: Date
        /// The duration in milliseconds: the sum of the timings.
        public var time: Double
        /// The request.
        public var request: Request
        /// The response.
        public var response: Response
        /// The state of a cache.
        public var cache: Cache
        /// The duration of each phase.
        public var timings: Timings
        /// The address of the connection.
        public var serverIPAddress: String?
        /// An identifier of the connection, such as a number.
        public var connection: String?
        /// A comment.
        public var comment: String?
        /// Members outside the format.
        public var custom: [String: Value]

        /// Creates an entry. Every parameter is the property of the same name.
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
