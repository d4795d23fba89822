internal import AirframeTransport
internal import AirframeWire
internal import FoundationEssentials
internal import Glibc
internal import HTTPTypes
internal import Synchronization

/// One exchange on an HTTP/2 connection (RFC 9113 §8.1).
///
/// `@unchecked Sendable`: ``MessageStream`` defines which task may call which function. State shared with the
/// connection's other tasks is in ``HTTP2StreamState``, which the connection's lock guards.
final class HTTP2Stream: MessageStream, Socket.Gatekeeper, @unchecked Sendable {
    let connection: HTTP2Connection
    /// The origin of the exchange, for errors.
    let origin: Origin
    // One task at a time uses each of these, so that accesses cannot overlap.
    /// The session's stream, once the head has been encoded.
    @exclusivity(unchecked) private(set) var state: HTTP2StreamState?
    /// Whether the caller may have taken content that has not been credited. The session's stream counts it, because
    /// any task may end the stream.
    @exclusivity(unchecked) private var mayOweCredit = false
    /// Whether the response head has been returned.
    @exclusivity(unchecked) private var hasHead = false
    @exclusivity(unchecked) private var failure: HTTP2Failure?
    /// Whether content or trailers follow the request's head.
    @exclusivity(unchecked) private var hasContent = false
    /// Whether the request is a CONNECT or extended CONNECT (RFC 9113 §8.5, RFC 8441).
    @exclusivity(unchecked) private var isHandshake = false
    /// Whether the stream has been released or cancelled.
    @exclusivity(unchecked) private var hasEnded = false

    // MARK: Waiting

    @exclusivity(unchecked) private var readAlarm: Alarm?
    @exclusivity(unchecked) private var writeAlarm: Alarm?
    /// Whether the stream's task reads the connection.
    private let isReading = Atomic(false)
    /// Whether the waiting task must check its limits.
    private let isRoused = Atomic(false)

    init(_ connection: HTTP2Connection, for origin: Origin) {
        self.connection = connection
        self.origin = origin
    }

    deinit {
        readAlarm?.cancel()
        writeAlarm?.cancel()
        end(.cancel)
    }

    // MARK: The request

    func begin(
        _ head: borrowing RequestHead,
        checked: consuming CheckedHead?,
        content: Data?
    ) throws(StreamFailure) -> StreamBeginning {
        if content == nil, head.isPlain, let beginning = try beginAgain(head.shared) { return beginning }
        let request = HTTP2RequestHead(head)
        let isJoined =
            !request.expectsContinue
            && (content.map { $0.count <= HTTP2OutgoingContent.capacity } ?? !request.hasContent)
        let opened: (stream: HTTP2StreamState, headByteCount: Int)
        do throws(HTTP2Failure) {
            opened = try connection.state.withLock { connection throws(HTTP2Failure) in
                try connection.checkOpen()
                let opened = try connection.session.open(request)
                if isJoined, request.hasContent, let content {
                    _ = content.withUnsafeBytes { connection.session.send($0, on: opened.stream) }
                    connection.session.finish(opened.stream, trailers: nil)
                }
                return opened
            }
        } catch {
            failure = error
            throw .failed(transportError(error, phase: .options))
        }
        state = opened.stream
        hasContent = request.hasContent
        isHandshake = request.isHandshake
        return StreamBeginning(
            headByteCount: opened.headByteCount,
            includesContent: isJoined,
            expectsContinue: request.expectsContinue
        )
    }

    /// Encodes a head that the connection remembers.
    private func beginAgain(_ head: SharedRequestHead) throws(StreamFailure) -> StreamBeginning? {
        do throws(HTTP2Failure) {
            let opened = try connection.state.withLock { connection throws(HTTP2Failure) in
                try connection.checkOpen()
                return try connection.session.reopen(head)
            }
            guard let opened else { return nil }
            state = opened.stream
            return StreamBeginning(headByteCount: opened.headByteCount, includesContent: true, expectsContinue: false)
        } catch {
            failure = error
            throw .failed(transportError(error, phase: .options))
        }
    }

    func flush() throws(StreamFailure) -> FlushResult {
        guard let state else { return .done }
        connection.flush(.request)
        guard hasContent else { return .done }
        return connection.state.withLock { _ in
            guard state.outgoing.count > 0, !state.isClosed else { return .done }
            // The server may answer before it has room for the rest of the content, and need not make any. The task
            // that reads the connection sends the rest.
            if state.hasFinalInput, !isHandshake { return .done }
            state.outgoing.isWriterWaiting = true
            return state.outgoing.takeProgress() ? .progress : .blocked
        }
    }

    var hasSent: Bool { state != nil }

    var streamID: Int? { state.map { Int($0.id) } }

    func write(_ content: UnsafeRawBufferPointer) -> IOResult { write(content, endsRequest: false) }

    func writeLast(_ content: UnsafeRawBufferPointer) -> IOResult { write(content, endsRequest: true) }

    private func write(_ content: UnsafeRawBufferPointer, endsRequest: Bool) -> IOResult {
        guard let state else { return .failed(EPIPE) }
        let accepted = connection.state.withLock { connection -> Int? in
            let count = connection.session.send(content, on: state)
            if endsRequest, count == content.count { connection.session.finish(state, trailers: nil) }
            return count
        }
        guard let count = accepted else { return .failed(EPIPE) }
        if count > 0 { connection.flush(.joined) }
        return count > 0 ? .bytes(count) : .blocked
    }

    func sendFile(_ file: FileContent, from position: Int64) -> IOResult? { nil }

    func finish(trailers: HTTPFields?) throws(StreamFailure) {
        guard let state else { return }
        if let fault = trailers?.trailerFault {
            throw .failed(transportError(HTTP2Failure(.invalidRequest, fault), phase: .requestBody))
        }
        connection.state.withLock { $0.session.finish(state, trailers: trailers) }
    }

    func updatePriority(_ updates: PriorityUpdates) {
        guard let state else { return }
        let hasOutput = connection.state.withLock { connection in
            guard let priority = updates.latest else { return false }
            connection.session.updatePriority(of: state, priority.fieldValue)
            return connection.session.hasOutput
        }
        if hasOutput { connection.flush(.immediate) }
    }

    // MARK: The response

    var hasInput: Bool {
        guard let state else { return false }
        return connection.state.withLock { _ in state.hasInput }
    }

    func next(_ demand: Demand) throws(StreamFailure) -> MessageEvent {
        guard let state else { return .blocked }
        if demand == .more { returnCredit() }
        do throws(HTTP2Failure) {
            let event = try connection.state.withLock { _ throws(HTTP2Failure) in
                demand == .end ? state.nextEnd() : try state.next(demand == .arrived)
            }
            return messageEvent(event, state)
        } catch {
            failure = error
            throw .failed(transportError(error, phase: hasHead ? .responseBody : .responseHead))
        }
    }

    private func messageEvent(_ event: HTTP2StreamEvent?, _ state: HTTP2StreamState) -> MessageEvent {
        switch event {
        case nil: return .blocked
        case .informational(let head): return .informational(head)
        case .head(let head, let byteCount, let length):
            hasHead = true
            let content: MessageContent =
                if state.kind == .connect, (200..<300).contains(head.statusCode) {
                    .tunnel
                } else if let length, length > 0 {
                    .length(length)
                } else {
                    // END_STREAM or trailers may follow.
                    .unknown
                }
            return .head(MessageHead(shared: head, byteCount: byteCount, content: content, version: .http2))
        case .content(let content):
            mayOweCredit = true
            return .content(content)
        case .end(let trailers):
            returnCredit()
            return .end(trailers: trailers)
        }
    }

    /// Returns credit for the content that the caller has taken.
    func returnCredit() {
        guard mayOweCredit, let state else { return }
        mayOweCredit = false
        let hasOutput = connection.state.withLock { connection in
            connection.session.returnCredit(for: state)
            return connection.session.hasOutput
        }
        if hasOutput { connection.flush(.joined) }
    }

    func repetition(after error: TransportError, isReused: Bool) -> Repetition? {
        // The server would refuse the certificate again.
        guard let failure, failure.code != .clientIdentityRefused else { return nil }
        if failure.requiresHTTP1 { return Repetition(permission: .overHTTP1, reason: failure.message) }
        if failure.isUnprocessed { return Repetition(permission: .always, reason: failure.message) }
        // The server may have closed a reused connection before it received the request.
        guard isReused, let state, !state.hasBegun, failure.isConnectionLoss else { return nil }
        return Repetition(
            permission: .ifIdempotent,
            reason: "the kept connection was closed before a response came"
        )
    }

    func transportError(_ failure: HTTP2Failure, phase: TransportPhase) -> TransportError {
        TransportError(
            failure.code,
            phase: failure.phase ?? phase,
            processing: state == nil ? .notSent : failure.isUnprocessed ? .notProcessed : .unknown,
            message: failure.message,
            origin: origin,
            libraryMessage: failure.libraryMessage
        )
    }

    // MARK: Waiting

    nonisolated(nonsending) func wait(
        for direction: Socket.Direction,
        until due: Int64,
        _ spin: SpinBudget?,
        isAlone: Bool
    ) async -> Socket.WaitEnd {
        guard let state else { return .ready }
        switch direction {
        case .reading, .roomForReading:
            // A caller that waits has taken all earlier content.
            returnCredit()
            return await waitForInput(state, until: due, spin, isAlone: isAlone)
        case .writing:
            if due != .max { alarm(&writeAlarm).set(due) }
            connection.beginWriteWait()
            defer { connection.endWriteWait() }
            await withTaskCancellationHandler {
                await state.writing.wait()
            } onCancel: {
                state.writing.signal()
            }
            return waitEnd(due)
        }
    }

    private nonisolated(nonsending) func waitForInput(
        _ state: HTTP2StreamState,
        until due: Int64,
        _ spin: SpinBudget?,
        isAlone: Bool
    ) async -> Socket.WaitEnd {
        while true {
            if takeRousing() { return waitEnd(due) }
            switch connection.beginWait(state, spins: isAlone && spin != nil) {
            case .hasInput: return .ready
            case .mustRead:
                if let end = await readConnection(state, until: due, spin) { return end }
            case .mustPark:
                if due != .max { alarm(&readAlarm).set(due) }
                connection.bytes.socket.noteWaiter(Task.currentPriority)
                await withTaskCancellationHandler {
                    await state.reading.wait()
                } onCancel: {
                    state.reading.signal()
                }
                connection.endWait(state)
                let end = waitEnd(due)
                guard case .ready = end else { return end }
            }
        }
    }

    /// Reads the connection until there is input for this stream, or another task needs frames: returns `nil` then.
    private nonisolated(nonsending) func readConnection(
        _ state: HTTP2StreamState,
        until due: Int64,
        _ spin: SpinBudget?
    ) async -> Socket.WaitEnd? {
        isReading.store(true, ordering: .sequentiallyConsistent)
        defer {
            isReading.store(false, ordering: .relaxed)
            connection.leaveReading(ObjectIdentifier(state))
        }
        var spin = spin
        var readCount = 0
        while true {
            if takeRousing() { return waitEnd(due) }
            if !connection.mayHaveMore {
                let end = await connection.bytes.socket.wait(
                    for: .reading, until: due, spin, gatekeeper: self, alarm: alarm(&readAlarm))
                guard case .ready = end else { return end }
                spin = nil
            }
            guard connection.beginReading(state) else { return nil }
            // Another task that writes may have failed this stream: the socket was roused, and nothing can be read.
            ResumedTasks.shared.note(count: connection.read())
            if hasInput { return .ready }
            // The bytes of other streams may arrive without end, and then nothing waits.
            let end = waitEnd(due)
            guard case .ready = end else { return end }
            guard connection.continueReading(state) else { return nil }
            readCount += 1
            if readCount.isMultiple(of: HTTP2Connection.readLimit) { await Task.yield() }
        }
    }

    func admit(_ continuation: ReadySlot.Continuation) -> Bool {
        state.map { connection.park(continuation, for: $0) } ?? false
    }

    private func takeRousing() -> Bool {
        isRoused.load(ordering: .sequentiallyConsistent) && isRoused.exchange(false, ordering: .sequentiallyConsistent)
    }

    private func waitEnd(_ due: Int64) -> Socket.WaitEnd {
        if Task.isCancelled { return .cancelled }
        return due != .max && Monotonic.now >= due ? .timeUp : .ready
    }

    /// Returns the alarm of a direction. Each direction has its own limit.
    private func alarm(_ alarm: inout Alarm?) -> Alarm {
        if let alarm { return alarm }
        let made = connection.makeAlarm { [weak self] in self?.rouse() }
        alarm = made
        return made
    }

    func rouse() {
        isRoused.store(true, ordering: .sequentiallyConsistent)
        state?.wake()
        if isReading.load(ordering: .sequentiallyConsistent) { connection.bytes.socket.rouse() }
    }

    // MARK: The end

    func cancel() { end(.cancel) }

    /// Resets the stream if it is open, and returns credit for content that will not be pulled.
    func end(_ code: HTTP2ErrorCode) {
        guard let state, !hasEnded else { return }
        hasEnded = true
        let hasOutput = connection.state.withLock { connection in
            state.discardContent()
            connection.session.returnCredit(for: state)
            connection.session.reset(state, code)
            return connection.session.hasOutput
        }
        if hasOutput { connection.flush(.joined) }
        connection.closeIfUnused()
    }

    func release(isRequestWhole: Bool) -> String? {
        readAlarm?.set(.max)
        writeAlarm?.set(.max)
        // A declined handshake has not ended the client's direction of the stream, nor has a request without room.
        if isRequestWhole, !isHandshake, !(hasContent && isUnfinished) {
            hasEnded = true
            connection.closeIfUnused()
        } else {
            end(.noError)
        }
        return nil
    }

    /// Whether content has not been framed, or the end cannot be.
    private var isUnfinished: Bool {
        guard let state else { return false }
        return connection.state.withLock { $0.session.isUnfinished(state) }
    }

    func makeDuplexStream(
        spin: @escaping @Sendable () -> SpinBudget?,
        onEnd: @escaping @Sendable (String?) -> Void
    ) -> any DuplexStream {
        HTTP2Tunnel(self, onEnd: onEnd)
    }
}
