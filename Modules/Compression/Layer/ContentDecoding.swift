public import AirframeTransport

/// A request's own word on the decoding of its response.
///
/// ```swift
/// request[ContentDecoding.self] = .off
/// ```
public enum ContentDecoding: TransportRequestKey {
    /// What becomes of a coded response.
    public enum Value: Sendable, Hashable {
        /// It is decoded within the layer's limits.
        case on
        /// It is decoded within these limits.
        case limited(DecodingLimits)
        /// It is handed out as it came, and no coding is asked for.
        case off
    }

    /// Decoded within the layer's limits.
    public static var defaultValue: Value { .on }
}
