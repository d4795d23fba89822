/// What a session grants its server, and what it accepts from it.
package struct HTTP2Limits: Sendable, Hashable {
    /// The most bytes that all streams of a connection may hold, received or still granted to the server.
    package var connectionWindow: Int
    /// The bytes that a server may send on a new stream before the caller pulls (SETTINGS_INITIAL_WINDOW_SIZE).
    package var streamWindow: Int
    /// The most bytes that a stream's window grows to.
    package var largestStreamWindow: Int
    /// The most bytes of a field section, as RFC 9113 §6.5.2 counts them: names, values and 32 for each field.
    package var fieldSection: Int
    /// The most bytes of a field section in its compressed form.
    package var compressedFieldSection: Int
    /// The most fields in a section.
    package var fieldCount: Int
    /// The most informational responses before a final one.
    package var informationalCount: Int

    /// Sets limits, in bytes and numbers. Values outside the protocol's bounds are moved into them.
    package init(
        connectionWindow: Int = 64 << 20,
        streamWindow: Int = 64 << 10,
        largestStreamWindow: Int = 16 << 20,
        fieldSection: Int = 256 << 10,
        compressedFieldSection: Int = 256 << 10,
        fieldCount: Int = 5_000,
        informationalCount: Int = 32
    ) {
        // The session's window is twice this, and at most 2^31-1 (RFC 9113 §6.9.1).
        self.connectionWindow = min(max(connectionWindow, 64 << 10), 1 << 29)
        self.streamWindow = min(max(streamWindow, 1 << 10), self.connectionWindow)
        self.largestStreamWindow = min(max(largestStreamWindow, self.streamWindow), self.connectionWindow)
        self.fieldSection = min(max(fieldSection, 1 << 10), 1 << 30)
        self.compressedFieldSection = max(compressedFieldSection, 64)
        // `HTTPFields` traps at 65,535.
        self.fieldCount = min(max(fieldCount, 1), 60_000)
        self.informationalCount = max(informationalCount, 0)
    }

    /// How many streams fit into ``connectionWindow``.
    var streamCapacity: Int { connectionWindow / streamWindow }
}
