public import AirframeTransport

extension HAR {
    /// The limits and the redaction of a recorder.
    public struct RecordingOptions: Sendable {
        /// The secrets to redact before they reach the archive: in fields, cookies, URLs, queries, and in bodies with
        /// names (forms, JSON, multipart forms, XML). Such a body that is not text cannot be searched and is omitted.
        public var redaction: RedactionPolicy

        /// Whether to redact secrets in JSON bodies by the names of their members; `true` by default. A malformed body
        /// cannot be searched and is omitted.
        public var redactsJSON: Bool

        /// Whether to record text without names that identify secrets; `true` by default.
        public var keepsPlainText: Bool

        /// The maximum number of recorded bytes of a request's body. The archive has the length of a longer one.
        public var requestBodyLimit: Int

        /// The maximum number of recorded bytes of a response's body.
        public var responseBodyLimit: Int

        /// The maximum number of recorded messages of a WebSocket, in `_webSocketMessages` in Chrome's form; none by
        /// default. The limits and the redaction of bodies apply to their contents.
        public var webSocketMessageLimit: Int

        /// Creates options.
        ///
        /// - Parameters:
        ///   - redaction: The secrets to redact.
        ///   - redactsJSON: Whether to redact secrets in JSON bodies.
        ///   - keepsPlainText: Whether to record text without names that identify secrets.
        ///   - requestBodyLimit: The maximum number of recorded bytes of a request's body; 1 MiB by default.
        ///   - responseBodyLimit: The maximum number of recorded bytes of a response's body; 1 MiB by default.
        ///   - webSocketMessageLimit: The maximum number of recorded messages of a WebSocket; none by default.
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
