public import FoundationEssentials

extension HAR {
    /// The state of a cache for a response.
    public struct Cache: Sendable, Hashable, Codable {
        /// Its state before the request.
        public var beforeRequest: CacheState?
        /// Its state after the request.
        public var afterRequest: CacheState?
        /// A comment.
        public var comment: String?
        /// Members outside the format.
        public var custom: [String: Value]

        /// Creates a cache entry; without arguments its states are unknown. Every parameter is the property of the same
        /// name.
        public init(
            beforeRequest: CacheState? = nil,
            afterRequest: CacheState? = nil,
            comment: String? = nil,
            custom: [String: Value] = [:]
        ) {
            self.beforeRequest = beforeRequest
            self.afterRequest = afterRequest
            self.comment = comment
            self.custom = custom
        }
    }

    /// An entry of a cache.
    public struct CacheState: Sendable, Hashable, Codable {
        /// The expiry date.
        public var expires: Date?
        /// The date of the last use.
        public var lastAccess: Date?
        /// The entity tag.
        public var eTag: String
        /// The number of uses.
        public var hitCount: Int64
        /// A comment.
        public var comment: String?
        /// Members outside the format.
        public var custom: [String: Value]

        /// Creates an entry of a cache. Every parameter is the property of the same name.
        public init(
            expires: Date? = nil,
            lastAccess: Date? = nil,
            eTag: String = "",
            hitCount: Int64 = 0,
            comment: String? = nil,
            custom: [String: Value] = [:]
        ) {
            self.expires = expires
            self.lastAccess = lastAccess
            self.eTag = eTag
            self.hitCount = hitCount
            self.comment = comment
            self.custom = custom
        }
    }
}

extension HAR.Cache: HAR.Node {
    init(_ fields: inout HAR.Fields) throws(HAR.ReadingError) {
        beforeRequest = try fields.node("beforeRequest")
        afterRequest = try fields.node("afterRequest")
        comment = try fields.text("comment")
        custom = fields.rest
    }

    func write(to object: inout HAR.TextWriter) {
        object.node("beforeRequest", beforeRequest)
        object.node("afterRequest", afterRequest)
        object.text("comment", comment)
        object.values(custom)
    }
}

extension HAR.CacheState: HAR.Node {
    init(_ fields: inout HAR.Fields) throws(HAR.ReadingError) {
        expires = try fields.text("expires").flatMap(HAR.Timestamp.date)
        lastAccess = try fields.text("lastAccess").flatMap(HAR.Timestamp.date)
        eTag = try fields.text("eTag") ?? ""
        hitCount = try fields.integer("hitCount") ?? 0
        comment = try fields.text("comment")
        custom = fields.rest
    }

    func write(to object: inout HAR.TextWriter) {
        object.text("expires", expires.map(HAR.Timestamp.text))
        object.text("lastAccess", lastAccess.map(HAR.Timestamp.text) ?? "")
        object.text("eTag", eTag)
        object.integer("hitCount", hitCount)
        object.text("comment", comment)
        object.values(custom)
    }
}
