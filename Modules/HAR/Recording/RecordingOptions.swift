public import AirframeTransport

extension HAR {
    /// What a recorder keeps of an exchange, and what it hides.
    public struct RecordingOptions: Sendable {
        /// What is a secret. It is hidden before it reaches the archive: in fields, cookies, URLs, queries, and in
        /// bodies that have names in them (forms, JSON, multipart forms, XML).
        public var redaction: RedactionPolicy

        /// Whether secrets in JSON bodies are hidden, by the names of their members; they are by default. A malformed
        /// body cannot be searched for them, and is left out.
        public var redactsJSON: Bool

        /// Whether text is kept that has no names to recognize secrets by. By default it is: an archive is made for the
        /// sake of its bodies.
        public var keepsPlainText: Bool

        /// How many bytes of a request's body are kept. Of a longer one the archive says how long it was.
        public var requestBodyLimit: Int

        /// How many bytes of a response's body are kept.
        public var responseBodyLimit: Int

        /// How many messages of a WebSocket are kept, in `_webSocketMessages` as Chrome writes them; none by default.
        /// Contents are kept as bodies are: within the limits, and without secrets.
        public var webSocketMessageLimit: Int

        /// Describes what to keep.
        ///
        /// - Parameters:
        ///   - redaction: What is a secret.
        ///   - redactsJSON: Whether secrets in JSON bodies are hidden.
        ///   - keepsPlainText: Whether text is kept that has no names to recognize secrets by.
        ///   - requestBodyLimit: How many bytes of a request's body are kept; by default 1 MiB.
        ///   - responseBodyLimit: How many bytes of a response's body are kept; by default 1 MiB.
        ///   - webSocketMessageLimit: How many messages of a WebSocket are kept; none by default.
        public init(
            redaction: RedactionPolicy = .standard,
            redactsJSON: Bool = true,
            keepsPlainText: Bool = true,
            requestBodyLimit: Int = 1 << 20,
            responseBodyLimit: Int = 1 << 20,
            webSocketMessageLimit: Int = 0
        ) {
            self.redaction = redaction
            self.redactsJSON = redactsJSON
            self.keepsPlainText = keepsPlainText
            self.requestBodyLimit = requestBodyLimit
            self.responseBodyLimit = responseBodyLimit
            self.webSocketMessageLimit = webSocketMessageLimit
        }
    }
}
