internal import AirframeTransport
internal import Foundation

extension Request {
    /// Pulls a body to its end. A suspended request pulls nothing, so that backpressure reaches the server.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - task: The attempt that the body belongs to.
    ///   - offset: The number of bytes that earlier attempts received. They count as received.
    ///   - whole: The total number of bytes if it differs from the body's length; -1 if it is unknown.
    ///   - take: Receives each chunk in order. The next chunk is pulled after it returns.
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
            // The engine's buffers may hold data when the request is cancelled; the rest of the body is discarded.
            guard await resumed() else { throw .explicitlyCancelled }
            guard let chunk = try await next(of: body, for: task) else { return }
            // An empty chunk is not data: the result of a request whose body has no bytes is `nil`.
            guard !chunk.isEmpty else { continue }
            try await take(chunk)
            total += Int64(chunk.count)
            report(chunk, total, of: expected, for: task)
        }
    }

    /// Pulls the part of a body that the engine has buffered. A small body usually arrives with its head.
    ///
    /// - Returns: Whether the body has ended. Otherwise ``pull(_:for:from:of:_:)`` pulls the rest.
    func pullBuffered(_ body: ResponseBody, for task: URLSessionTask, _ take: (Data) -> Void) -> Bool {
        let expected = task.response?.expectedContentLength ?? -1
        var total: Int64 = 0
        while mayProceed {
            // Not stored in a variable: its payload is moved, not copied.
            switch body.nextAtOnce() {
            case .none: return false
            case .some(.none): return true
            case .some(.some(let chunk)) where chunk.isEmpty: continue
            case .some(.some(let chunk)):
                take(chunk)
                total += Int64(chunk.count)
                report(chunk, total, of: expected, for: task)
            }
        }
        return false
    }

    /// Reports a chunk to the task, the request's progress and the monitors.
    private func report(_ chunk: Data, _ total: Int64, of expected: Int64, for task: URLSessionTask) {
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

    @inline(__always)
    private func next(of body: ResponseBody, for task: URLSessionTask) async throws(AFError) -> Data? {
        if let buffered = body.nextAtOnce() { return buffered }
        do throws(TransportError) {
            return try await body.next()
        } catch {
            throw AFError.transport(error, url: task.currentRequest?.url)
        }
    }
}
