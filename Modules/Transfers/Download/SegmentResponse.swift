internal import AirframeCore
internal import Foundation
internal import HTTPTypes

/// A response to a request for a segment, whose content is still to be read.
struct SegmentResponse: Sendable {
    let bytes: DataStreamRequest.Bytes
    /// The first byte of its segment.
    let start: Int64
    /// The first byte of the response.
    let position: Int64
    /// The byte after the last of the response; `nil` when the response does not say.
    let end: Int64?
    /// Whether the content extends to the end of the representation.
    let isWhole: Bool
    /// The hash of its content by its `Content-Digest`.
    let digest: TransferChecksum?
    /// Returns its trailers once its content has ended.
    let trailers: @Sendable () -> HTTPFields
}
