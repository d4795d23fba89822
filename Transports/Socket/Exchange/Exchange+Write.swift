internal import AirframeTransport
internal import FoundationEssentials
internal import Glibc
internal import HTTPTypes

/// How the head of a request, and small content with it, is written.
extension Exchange {
    /// The largest content that is copied behind its head, so that both leave in one piece.
    private static let joinedSize = 16 * 1024

    /// Makes ready to write to `connection`.
    func startWriting(_ connection: Connection) {
        connection.exchangeCount += 1
        connection.parser.begin(plan.outcome.kind, asksToClose: plan.outcome.asksToClose)
        enter(.send)
        writtenCount = 0
        if case .memory(let data) = plan.content, data.count <= Self.joinedSize, !plan.outcome.expectsContinue {
            outgoing = plan.head + data
            upload = nil
        } else {
            outgoing = plan.head
        }
    }

    /// Writes as much as there is room for. Returns whether that was all.
    func write(_ connection: Connection) throws(TransportError) -> Bool {
        while writtenCount < outgoing.count {
            let result = outgoing.withUnsafeBytes { bytes in
                connection.stream.write(UnsafeRawBufferPointer(rebasing: bytes[writtenCount...]))
            }
            switch result {
            case .bytes(let count):
                writtenCount += count
                hasSent = true
                since = limits.start
            case .blocked:
                return false
            case .ended, .failed(EPIPE), .failed(ECONNRESET):
                // The server may have answered before it closed.
                guard hasSent else { throw lost(EPIPE) }
                writtenCount = outgoing.count
            case .failed(let code):
                throw lost(code)
            }
        }
        noteWritten()
        startUpload(connection)
        return true
    }

    /// Writes the rest.
    nonisolated(nonsending) func finishWriting(_ connection: Connection) async throws(TransportError) {
        while try !write(connection) {
            let due = limits.due(in: .send, since: since)
            let end = await connection.socket.wait(for: .writing, until: due, nil, alarm: connection.alarm)
            if let error = interruption(end) { throw error }
        }
    }

    private func noteWritten() {
        guard outlet != nil else { return }
        emit(.requestHeadSent(byteCount: plan.head.count))
        let contentCount = Int64(outgoing.count - plan.head.count)
        if contentCount > 0 { emit(.requestBodySent(byteCount: contentCount, total: contentCount)) }
    }

    /// Has the content follow, where it has not gone out with the head.
    private func startUpload(_ connection: Connection) {
        guard let upload else {
            emit(.requestFinished)
            enter(.respond)
            return
        }
        self.upload = nil
        let uploader = Uploader(UploadSender(upload, connection.stream, self), expectation: expectation)
        self.uploader = uploader
        uploader.start()
    }

    private var expectation: Expectation? {
        guard plan.outcome.expectsContinue else { return nil }
        // A request that asks by its own field, and no option: a second is what curl waits.
        guard case .always(let wait) = plan.options.expectContinue else {
            return Expectation(.seconds(1), engine.reactor)
        }
        return Expectation(wait, engine.reactor)
    }
}
