extension ResponseBody {
    /// Reads what little follows a head that says all, so that the connection can be used again; gives the body up when it
    /// is more than is worth reading.
    ///
    /// For layers that send another request in the place of this response. That the body breaks off does not matter to
    /// them.
    ///
    /// - Throws: The cancellation, when the caller ends the exchange meanwhile; nothing else.
    package func finish() async throws(TransportError) {
        let worthReading: Int64 = 64 << 10
        defer { cancel() }
        if let expected = expectedLength, expected > worthReading { return }
        var count: Int64 = 0
        do throws(TransportError) {
            while count <= worthReading, let chunk = try await next() { count += Int64(chunk.count) }
        } catch {
            if error.isCancellation { throw error }
        }
    }
}
