package import AirframeTransport
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

extension HAR.BodySample {
    /// The beginning of a body that is there already; `nil` for one that is made while it is sent.
    package init?(of body: RequestBody, limit: Int) {
        switch body.content {
        case .none, .stream: return nil
        case .bytes(let data):
            self.init(limit: limit)
            append(data)
        case .file(let region): self.init(of: region, limit: limit)
        }
    }

    /// The beginning of a region of a file; `nil` when it cannot be read.
    package init?(of region: FileRegion, limit: Int) {
        guard let beginning = FileBeginning(of: region, limit: limit) else { return nil }
        self.init(limit: limit)
        append(beginning.bytes)
        byteCount = beginning.length
    }
}
