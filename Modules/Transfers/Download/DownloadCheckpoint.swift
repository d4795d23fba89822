internal import AirframeCore
internal import Foundation

/// The state that a later process needs to continue a download.
struct DownloadCheckpoint: Codable, Sendable {
    /// The URL that the bytes came from.
    var source: URL
    /// The validator of the representation: a strong `ETag`, or else a `Last-Modified`.
    var entityTag: String?
    var lastModified: String?
    /// The bytes that were received; `nil` while the length is unknown.
    var map: SegmentMap?
    /// The number of bytes of a download whose length is unknown.
    var length: Int64 = 0
    /// The hash of the representation by the server's `Repr-Digest`.
    var digest: TransferChecksum?
    /// The inode number of the temporary file. File systems reuse the numbers of removed files, so the file is the same
    /// only if it also has ``extent`` bytes.
    var inode: UInt64
    /// Whether all bytes were received and checked, so that only the rename is left.
    var isVerified = false

    var completed: Int64 { map?.completed ?? length }
    var total: Int64? { map?.total }
    /// The minimum size of the temporary file in bytes: all of a known length is reserved at the beginning.
    var extent: Int64 { map?.total ?? length }
    /// The validator for `If-Range`.
    var validator: ResumeValidator? { ResumeValidator(entityTag: entityTag, lastModified: lastModified) }
    /// Whether bytes of another response can be combined with these (RFC 9110 §15.3.7.3): a validator identifies the
    /// representation in advance, a hash of the whole afterwards.
    var isVerifiable: Bool { validator != nil || digest != nil }

    /// Decodes a checkpoint; `nil` if it is not usable.
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
