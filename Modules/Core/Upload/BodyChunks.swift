package import AirframeTransport
internal import Foundation

extension RequestBody {
    /// Returns a source of the body's bytes in chunks.
    package func makeChunks() throws -> any RequestBodySource {
        switch content {
        case .none: DataSource(Data())
        case .bytes(let data): DataSource(data)
        case .file(let region): FileRegionSource(region)
        case .stream(let stream): try stream.makeSource()
        }
    }
}

/// The maximum number of bytes of a chunk.
private let chunkSize = 128 << 10

/// Data in memory, in slices.
private actor DataSource: RequestBodySource {
    private var rest: Data

    init(_ data: Data) { rest = data }

    func next() -> Data? {
        guard !rest.isEmpty else { return nil }
        let chunk = rest.prefix(chunkSize)
        rest = rest.dropFirst(chunk.count)
        return chunk
    }
}

/// A region of a file that is read while it is sent.
private actor FileRegionSource: RequestBodySource {
    private let region: FileRegion
    private var handle: FileHandle?
    private var remaining: Int64

    init(_ region: FileRegion) {
        self.region = region
        remaining = region.length
    }

    func next() throws -> Data? {
        guard remaining > 0 else { return nil }
        let handle = try handle ?? open()
        self.handle = handle
        let count = Int(min(Int64(chunkSize), remaining))
        guard let data = try handle.read(upToCount: count), !data.isEmpty else {
            throw CocoaError(.fileReadUnknown, userInfo: [NSFilePathErrorKey: region.path])
        }
        remaining -= Int64(data.count)
        return data
    }

    private func open() throws -> FileHandle {
        let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: region.path))
        try handle.seek(toOffset: UInt64(max(0, region.offset)))
        return handle
    }
}
