internal import AirframeTransport
internal import Foundation

extension Request {
    /// Pulls a body to its end. A suspended request pulls nothing, which slows the server down.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - task: The attempt that it belongs to.
    ///   - offset: The bytes that were there before, which count as received.
    ///   - whole: The bytes that there will be in all, where they are not the body's own; -1 when that is not known.
    ///   - take: Gets each chunk, in order. The next one is not asked for before it returns.
    func pull(
        _ body: ResponseBody,
        for task: URLSessionTask,
        from offset: Int64 = 0,
        of whole: Int64? = nil,
        _ take: (Data) async throws(AFError) -> Void
    ) async throws(AFError) {
        let expected = whole ?? task.response?.expectedContentLength ?? -1
        var total = offset
        while true {
            // A fast server fills buffers faster than a cancelled exchange ends: what they hold is not taken.
            if !mayGoOnAtOnce { guard await mayGoOn() else { throw .explicitlyCancelled } }
            let next: Data?
            if let known = body.nextAtOnce() { next = known } else { next = try await self.next(of: body, for: task) }
            guard let chunk = next else { return }
            // A body of no bytes is no data, and not an empty piece of it.
            guard !chunk.isEmpty else { continue }
            try await take(chunk)
            total += Int64(chunk.count)
            note(chunk, total, of: expected, for: task)
        }
    }

    /// Pulls what is there of a body: the small bodies of most responses came with their heads, and need no
    /// asynchronous function.
    ///
    /// - Returns: Whether the body has ended; the rest is to be pulled otherwise.
    func pullAtOnce(_ body: ResponseBody, for task: URLSessionTask, _ take: (Data) -> Void) -> Bool {
        let expected = task.response?.expectedContentLength ?? -1
        var total: Int64 = 0
        while mayGoOnAtOnce, let known = body.nextAtOnce() {
            guard let chunk = known else { return true }
            guard !chunk.isEmpty else { continue }
            take(chunk)
            total += Int64(chunk.count)
            note(chunk, total, of: expected, for: task)
        }
        return false
    }

    /// Tells of a chunk that was taken.
    private func note(_ chunk: Data, _ total: Int64, of expected: Int64, for task: URLSessionTask) {
        task.didReceive(total, of: expected)
        didReceive(total, of: expected)
        guard let monitor = monitors, monitor.wants(.bodies) else { return }
        switch task {
        case let task as URLSessionDownloadTask:
            monitor.urlSession(
                context.urlSession,
                downloadTask: task,
                didWriteData: Int64(chunk.count),
                totalBytesWritten: total,
                totalBytesExpectedToWrite: expected
            )
        case let task as URLSessionDataTask: monitor.urlSession(context.urlSession, dataTask: task, didReceive: chunk)
        default: break
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
