internal import Foundation

/// What a later process needs to continue a download.
struct DownloadCheckpoint: Codable, Sendable {
    /// The URL that the bytes came from.
    var source: URL
    /// What proves that the representation is still the same: a strong `ETag`, or else a `Last-Modified`.
    var entityTag: String?
    var lastModified: String?
    /// Which bytes are there; `nil` as long as the length is unknown.
    var map: SegmentMap?
    /// The number of bytes of a download whose length is unknown.
    var length: Int64 = 0
    /// The hash that the server says the representation has (`Repr-Digest`).
    var digest: TransferChecksum?
    /// The number of the temporary file.
    var inode: UInt64
    /// Whether all bytes are there and checked: what is left is to give the file its name.
    var isVerified = false

    var completed: Int64 { map?.completed ?? length }
    var total: Int64? { map?.total }

    /// Reads a checkpoint; `nil` when it cannot be relied on.
    init?(reading data: Data?) {
        guard let data, let read = try? JSONDecoder().decode(DownloadCheckpoint.self, from: data),
            read.map?.isValid ?? true, read.length >= 0
        else { return nil }
        self = read
    }

    init(source: URL, inode: UInt64) {
        self.source = source
        self.inode = inode
    }

    var encoded: Data? { try? JSONEncoder().encode(self) }
}
