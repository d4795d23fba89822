extension HAR {
    /// The duration of each phase of an exchange in milliseconds; `nil` for phases that do not apply.
    public struct Timings: Sendable, Hashable, Codable {
        /// The time in a queue for a connection.
        public var blocked: Double?
        /// Name resolution.
        public var dns: Double?
        /// Connecting, including the TLS handshake.
        public var connect: Double?
        /// Sending the request.
        public var send: Double
        /// Waiting for the response.
        public var wait: Double
        /// Reading the response.
        public var receive: Double
        /// The TLS handshake, which is included in ``connect``.
        public var ssl: Double?
        /// A comment.
        public var comment: String?
        /// Members outside the format.
        public var custom: [String: Value]

        /// Creates timings. Every parameter is the property of the same name.
        public init(
            blocked: Double? = nil,
            dns: Double? = nil,
            connect: Double? = nil,
            send: Double = 0,
            wait: Double = 0,
            receive: Double = 0,
            ssl: Double? = nil,
            comment: String? = nil,
            custom: [String: Value] = [:]
        ) {
            self.blocked = blocked
            self.dns = dns
            self.connect = connect
            self.send = send
            self.wait = wait
            self.receive = receive
            self.ssl = ssl
            self.comment = comment
            self.custom = custom
        }

        /// The sum of the phases in milliseconds; ``ssl`` is included in ``connect``.
        public var total: Double {
            (blocked ?? 0) + (dns ?? 0) + (connect ?? 0) + send + wait + receive
        }
    }
}

extension HAR.Timings: HAR.Node {
    init(_ fields: inout HAR.Fields) throws(HAR.ReadingError) {
        blocked = try fields.measure("blocked")
        dns = try fields.measure("dns")
        connect = try fields.measure("connect")
        send = try fields.measure("send") ?? 0
        wait = try fields.measure("wait") ?? 0
        receive = try fields.measure("receive") ?? 0
        ssl = try fields.measure("ssl")
        comment = try fields.text("comment")
        custom = fields.rest
    }

    func write(to object: inout HAR.TextWriter) {
        object.number("blocked", blocked ?? -1)
        object.number("dns", dns ?? -1)
        object.number("connect", connect ?? -1)
        object.number("send", send)
        object.number("wait", wait)
        object.number("receive", receive)
        object.number("ssl", ssl ?? -1)
        object.text("comment", comment)
        object.values(custom)
    }
}
