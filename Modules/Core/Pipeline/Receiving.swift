internal import AirframeTransport
internal import Foundation

extension Request {
    /// Pulls a body to its end. A suspended request pulls nothing, which slows the server down.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - task: The attempt that it belongs to.
    ///   - take: Gets each chunk, in order. The next one is not asked for before it returns.
    func pull(
        _ body: ResponseBody,
        for task: URLSessionTask,
        _ take: (Data) async throws(AFError) -> Void
    ) async throws(AFError) {
        let expected = task.response?.expectedContentLength ?? -1
        var total: Int64 = 0
        while true {
            // A fast server fills buffers faster than a cancelled exchange ends: what they hold is not taken.
            guard await mayGoOn() else { throw .explicitlyCancelled }
            guard let chunk = try await next(of: body, for: task) else { return }
            try await take(chunk)
            total += Int64(chunk.count)
            task.didReceive(total, of: expected)
            didReceive(total, of: expected)
        }
    }

    private func next(of body: ResponseBody, for task: URLSessionTask) async throws(AFError) -> Data? {
        do throws(TransportError) {
            return try await body.next()
        } catch {
            throw AFError.transport(error, url: task.currentRequest?.url)
        }
    }
}
