internal import AirframeAuthentication
internal import AirframeTransport
internal import Foundation

/// The content of a resumable upload, any part of which can be sent repeatedly.
struct UploadContent: Sendable {
    /// The number of bytes.
    let length: Int64
    /// The path of the file; `nil` for content in memory.
    let path: String?
    /// The position of the content in the file.
    private let start: Int64
    /// Creates the body of a part from its first byte and its length.
    let part: @Sendable (Int64, Int64) -> RequestBody

    /// Creates the content of a request body; `nil` if the body can be read only from its start.
    init?(_ body: RequestBody) {
        switch body.content {
        case .bytes(let data):
            self.init(length: Int64(data.count), path: nil) { offset, length in
                .bytes(Data(data.dropFirst(Int(clamping: offset)).prefix(Int(clamping: length))))
            }
        case .file(let region):
            self.init(length: region.length, path: region.path, from: region.offset) { offset, length in
                .file(FileRegion(path: region.path, offset: region.offset + offset, length: length))
            }
        case .none, .stream: return nil
        }
    }

    init(
        length: Int64,
        path: String?,
        from start: Int64 = 0,
        part: @escaping @Sendable (Int64, Int64) -> RequestBody
    ) {
        self.length = length
        self.path = path
        self.start = start
        self.part = part
    }

    /// Returns the checksum of a part, which is read into memory.
    func checksum(
        _ algorithm: TransferChecksum.Algorithm,
        from offset: Int64,
        count: Int64
    ) async throws -> TransferChecksum {
        if let path {
            let bytes = try await FileHash.bytes(of: path, from: start + offset, count: count, algorithm)
            return TransferChecksum(algorithm, bytes: bytes)
        }
        guard case .bytes(let data) = part(offset, count).content else {
            throw TransferError(.file, "the content of the upload cannot be read for its checksum")
        }
        return TransferChecksum(algorithm, bytes: Data(try algorithm.function.hash(data)))
    }
}
