public import HTTPTypes

extension HARTransport {
    /// How an archive is replayed.
    public struct Configuration: Sendable {
        /// Which entry answers a request.
        public var matching: Matching

        /// How long answers take.
        public var timing: Timing

        /// Header fields that need not be as they were recorded; only strict matching looks at fields. `Host` and what is
        /// about the connection or the framing never count.
        public var ignoredHeaders: Set<HTTPField.Name>

        /// Names of query parameters that need not be as they were recorded: a time, a random number.
        public var ignoredParameters: Set<String>

        /// The clock that answers take their time on.
        public var clock: VirtualClock

        /// The content codings that are claimed to be decoded; a session asks for these and no others.
        public var contentCodings: [String]

        /// Describes how to replay.
        ///
        /// - Parameters:
        ///   - matching: Which entry answers a request; by default lenient.
        ///   - timing: How long answers take; by default no time.
        ///   - ignoredHeaders: Header fields that need not be as they were recorded.
        ///   - ignoredParameters: Names of query parameters that need not be as they were recorded.
        ///   - clock: The clock that answers take their time on.
        ///   - contentCodings: The content codings that are claimed to be decoded.
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

    /// Which entry answers a request.
    public enum Matching: Sendable, Hashable {
        /// The next one in the archive's order, each once; method, URL, header fields and content must be as they were.
        case strict
        /// One with the same method and URL, whatever the order of its query. Of several each in turn, then the last one
        /// again and again.
        case lenient
    }

    /// How long answers take.
    public enum Timing: Sendable, Hashable {
        /// No time.
        case none
        /// As long as they took, phase by phase, on the configuration's clock.
        case original
    }
}
