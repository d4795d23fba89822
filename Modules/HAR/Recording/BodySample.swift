package import AirframeTransport
package import FoundationEssentials

extension HAR {
    /// The beginning of a body, up to a limit, and the length of the whole.
    package struct BodySample: Sendable {
        private let limit: Int
        /// The first bytes.
        package private(set) var bytes = Data()
        /// The number of bytes of the whole body so far.
        package private(set) var byteCount: Int64 = 0
        /// Whether the request's author gave no type, so that the session sent the body as a form.
        package var isUntyped = false

        /// Creates an empty sample.
        package init(limit: Int) { self.limit = max(0, limit) }

        /// Whether the sample has the whole body.
        package var isWhole: Bool { Int64(bytes.count) == byteCount }

        /// Appends the next bytes.
        package mutating func append(_ chunk: Data) {
            byteCount += Int64(chunk.count)
            let room = limit - bytes.count
            if room > 0 { bytes.append(chunk.prefix(room)) }
        }
    }
}

extension HAR.BodySample {
    /// Returns the beginning of a body in memory or a file; `nil` for a body that is produced while it is sent.
    package init?(of body: RequestBody, limit: Int) {
        switch body.content {
        case .none, .stream: return nil
        case .bytes(let data):
            self.init(limit: limit)
            append(data)
        case .file(let region): self.init(of: region, limit: limit)
        }
    }

    /// Returns the beginning of a region of a file; `nil` if it cannot be read.
    package init?(of region: FileRegion, limit: Int) {
        guard let beginning = FileBeginning(of: region, limit: limit) else { return nil }
        self.init(limit: limit)
        append(beginning.bytes)
        byteCount = beginning.length
    }
}
