public import HTTPTypes

extension HARTransport {
    /// The settings of a replay.
    public struct Configuration: Sendable {
        /// The rule by which an entry answers a request.
        public var matching: Matching

        /// The duration of answers.
        public var timing: Timing

        /// The header fields that may differ from the recording. Only strict matching compares fields, and never `Host`
        /// or fields about the connection or the framing.
        public var ignoredHeaders: Set<HTTPField.Name>

        /// The names of query parameters that may differ from the recording, such as a time or a random number.
        public var ignoredParameters: Set<String>

        /// The clock for the duration of answers.
        public var clock: VirtualClock

        /// The content codings that the transport claims to decode. A session asks for these only.
        public var contentCodings: [String]

        /// Creates settings.
        ///
        /// - Parameters:
        ///   - matching: The rule by which an entry answers a request; by default lenient.
        ///   - timing: The duration of answers; by default none.
        ///   - ignoredHeaders: The header fields that may differ from the recording.
        ///   - ignoredParameters: The names of query parameters that may differ from the recording.
        ///   - clock: The clock for the duration of answers.
        ///   - contentCodings: The content codings that the transport claims to decode.
        public init(
            matching: Matching = .lenient,
            timing: Timing = .none,
            ignoredHeaders: Set<HTTPField.Name> = [],
            ignoredParameters: Set<String> = [],
            clock: VirtualClock = VirtualClock(),
            contentCodings: [String] = []
        ) {
            self.matching = matching
            self.timing = timing
            self.ignoredHeaders = ignoredHeaders
            self.ignoredParameters = ignoredParameters
            self.clock = clock
            self.contentCodings = contentCodings
        }
    }

    /// The rule by which an entry answers a request.
    public enum Matching: Sendable, Hashable {
        /// The next entry in the archive's order, each once. Method, URL, header fields and content must be equal.
        case strict
        /// An entry with the same method and URL, in any order of the query. Several entries answer in turn, and then
        /// the last one repeatedly.
        case lenient
    }

    /// The duration of answers.
    public enum Timing: Sendable, Hashable {
        /// No time.
        case none
        /// As long as in the recording, phase by phase, on the configuration's clock.
        case original
    }
}
