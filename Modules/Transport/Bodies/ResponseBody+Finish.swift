extension ResponseBody {
    /// Discards a short body, so that its connection can be reused; cancels the body if it exceeds 64 KiB.
    ///
    /// For layers that send another request instead of returning this response. They ignore a body that fails.
    ///
    /// - Throws: Only the error of a cancellation by the caller.
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
