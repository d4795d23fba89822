/// The limits of a session.
package struct HTTP2Limits: Sendable, Hashable {
    /// The maximum number of bytes that all streams of a connection may hold, received or granted to the server. Half
    /// of them are for the first windows of streams, the rest for windows that grow.
    package var connectionWindow: Int
    /// The number of bytes that a server may send on a new stream before the caller pulls
    /// (SETTINGS_INITIAL_WINDOW_SIZE).
    package var streamWindow: Int
    /// The maximum size of a stream's window in bytes.
    package var largestStreamWindow: Int
    /// The maximum size of a field section as RFC 9113 §6.5.2 counts it: names, values and 32 bytes for each field.
    package var fieldSection: Int
    /// The maximum size of a compressed field section in bytes.
    package var compressedFieldSection: Int
    /// The maximum number of fields in a section.
    package var fieldCount: Int
    /// The maximum number of informational responses before the final one.
    package var informationalCount: Int
    /// The number of concurrent streams until the server's SETTINGS set one, at most 100.
    package var assumedStreamCount: Int

    /// Creates limits, in bytes and numbers. Values outside the protocol's bounds are clamped.
    package init(
        connectionWindow: Int = 128 << 20,
        streamWindow: Int = 64 << 10,
        largestStreamWindow: Int = 16 << 20,
        fieldSection: Int = 256 << 10,
        compressedFieldSection: Int = 256 << 10,
        fieldCount: Int = 5_000,
        informationalCount: Int = 32,
        assumedStreamCount: Int = 100
    ) {
        // The session's window is twice this, and at most 2^31-1 (RFC 9113 §6.9.1).
        self.connectionWindow = min(max(connectionWindow, 64 << 10), 1 << 29)
        self.streamWindow = min(max(streamWindow, 1 << 10), self.connectionWindow)
        self.largestStreamWindow = max(largestStreamWindow, self.streamWindow)
        self.fieldSection = min(max(fieldSection, 1 << 10), 1 << 30)
        self.compressedFieldSection = max(compressedFieldSection, 64)
        // `HTTPFields` traps at 65,535.
        self.fieldCount = min(max(fieldCount, 1), 60_000)
        self.informationalCount = max(informationalCount, 0)
        self.assumedStreamCount = min(max(assumedStreamCount, 1), HTTP2Library.assumedStreamCount)
        self.largestStreamWindow = min(self.largestStreamWindow, self.streamWindow + growthCapacity)
    }

    /// The number of streams whose first windows fit into half of ``connectionWindow``, at least one.
    var streamCapacity: Int { max(1, connectionWindow / 2 / streamWindow) }

    /// The number of bytes by which the windows of all streams together may exceed their first windows.
    var growthCapacity: Int { connectionWindow - streamCapacity * streamWindow }
}
