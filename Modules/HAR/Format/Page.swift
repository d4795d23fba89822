public import FoundationEssentials

extension HAR {
    /// A page, or another group of exchanges.
    public struct Page: Sendable, Hashable, Codable {
        /// The start of loading.
        public var startedDateTime: Date
        /// The identifier that entries refer to.
        public var id: String
        /// The title.
        public var title: String
        /// The durations of loading.
        public var pageTimings: PageTimings
        /// A comment.
        public var comment: String?
        /// Members outside the format.
        public var custom: [String: Value]

        /// Creates a page. Every parameter is the property of the same name.
        public init(
            startedDateTime: Date,
            id: String,
            title: String,
            pageTimings: PageTimings = PageTimings(),
            comment: String? = nil,
            custom: [String: Value] = [:]
        ) {
            self.startedDateTime = startedDateTime
            self.id = id
            self.title = title
            self.pageTimings = pageTimings
            self.comment = comment
            self.custom = custom
        }
    }

    /// The durations of loading a page, in milliseconds from its start.
    public struct PageTimings: Sendable, Hashable, Codable {
        /// The time until the content was loaded, in milliseconds from the start of the page.
        public var onContentLoad: Double?
        /// The time until the page was loaded, in milliseconds from the start of the page.
        public var onLoad: Double?
        /// A comment.
        public var comment: String?
        /// Members outside the format.
        public var custom: [String: Value]

        /// Creates timings; `nil` for durations that do not apply. Every parameter is the property of the same name.
        public init(
            onContentLoad: Double? = nil,
            onLoad: Double? = nil,
            comment: String? = nil,
            custom: [String: Value] = [:]
        ) {
            self.onContentLoad = onContentLoad
            self.onLoad = onLoad
            self.comment = comment
            self.custom = custom
        }
    }
}

extension HAR.Page: HAR.Node {
    init(_ fields: inout HAR.Fields) throws(HAR.ReadingError) {
        startedDateTime = try HAR.required("startedDateTime", fields.date("startedDateTime"))
        id = try fields.text("id") ?? ""
        title = try fields.text("title") ?? ""
        pageTimings = try fields.node("pageTimings") ?? HAR.PageTimings()
        comment = try fields.text("comment")
        custom = fields.rest
    }

    func write(to object: inout HAR.TextWriter) {
        object.text("startedDateTime", HAR.Timestamp.text(startedDateTime))
        object.text("id", id)
        object.text("title", title)
        object.node("pageTimings", pageTimings)
        object.text("comment", comment)
        object.values(custom)
    }
}

extension HAR.PageTimings: HAR.Node {
    init(_ fields: inout HAR.Fields) throws(HAR.ReadingError) {
        onContentLoad = try fields.measure("onContentLoad")
        onLoad = try fields.measure("onLoad")
        comment = try fields.text("comment")
        custom = fields.rest
    }

    func write(to object: inout HAR.TextWriter) {
        object.number("onContentLoad", onContentLoad ?? -1)
        object.number("onLoad", onLoad ?? -1)
        object.text("comment", comment)
        object.values(custom)
    }
}
