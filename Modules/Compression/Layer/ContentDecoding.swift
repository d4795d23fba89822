public import AirframeTransport

/// A request's setting for the decoding of its response.
///
/// ```swift
/// request[ContentDecoding.self] = .off
/// ```
public enum ContentDecoding: TransportRequestKey {
    /// The handling of a coded response.
    public enum Value: Sendable, Hashable {
        /// Decode it within the layer's limits.
        case on
        /// Decode it within these limits.
        case limited(DecodingLimits)
        /// Return it undecoded, and request no coding. An `Accept-Encoding` that the user has set is kept.
        case off
    }

    /// Decoded within the layer's limits.
    public static var defaultValue: Value { .on }
}
