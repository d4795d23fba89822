public import AirframeTransport

extension HAR {
    /// What a recorder keeps of an exchange, and what it hides.
    public struct RecordingOptions: Sendable {
        /// What is a secret. It is hidden before it reaches the archive: in fields, cookies, URLs, queries and forms.
        public var redaction: RedactionPolicy

        /// Whether secrets in JSON bodies are hidden too, by the names of their members. Such a body is written anew, and
        /// one that cannot be read (it is malformed, or longer than the limit) is left out. By default bodies other than
        /// forms are kept as they are.
        public var redactsJSON: Bool

        /// How many bytes of a request's body are kept. Of a longer one the archive says how long it was.
        public var requestBodyLimit: Int

        /// How many bytes of a response's body are kept.
        public var responseBodyLimit: Int

        /// Describes what to keep.
        ///
        /// - Parameters:
        ///   - redaction: What is a secret.
        ///   - redactsJSON: Whether secrets in JSON bodies are hidden too.
        ///   - requestBodyLimit: How many bytes of a request's body are kept; by default 1 MiB.
        ///   - responseBodyLimit: How many bytes of a response's body are kept; by default 1 MiB.
        public init(
            redaction: RedactionPolicy = .standard,
            redactsJSON: Bool = false,
            requestBodyLimit: Int = 1 << 20,
            responseBodyLimit: Int = 1 << 20
        ) {
            self.redaction = redaction
            self.redactsJSON = redactsJSON
            self.requestBodyLimit = requestBodyLimit
            self.responseBodyLimit = responseBodyLimit
        }
    }
}
