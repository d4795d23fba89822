package import FoundationEssentials

extension HAR {
    /// The beginning of a body, as much of it as is kept, and the length of the whole.
    package struct BodySample: Sendable {
        private let limit: Int
        /// The first bytes.
        package private(set) var bytes = Data()
        /// The number of all bytes that went by.
        package private(set) var byteCount: Int64 = 0

        /// A sample of nothing yet.
        package init(limit: Int) { self.limit = max(0, limit) }

        /// Whether nothing is missing.
        package var isWhole: Bool { Int64(bytes.count) == byteCount }

        /// Takes the next bytes.
        package mutating func append(_ chunk: Data) {
            byteCount += Int64(chunk.count)
            let room = limit - bytes.count
            if room > 0 { bytes.append(chunk.prefix(room)) }
        }
    }
}
