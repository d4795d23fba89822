internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes

/// One exchange on a connection: the request on its way out, the response on its way in, in whichever version of HTTP
/// the connection speaks.
///
/// An ``Exchange`` knows limits, events and repetition; a stream knows bytes and frames. HTTP/1.1 has one stream for
/// each connection, which serves one exchange after another; HTTP/2 has one object for each stream.
///
/// No function but ``wait(for:until:_:isAlone:)`` waits. The others do what can be done at once and say when there is
/// nothing to do, so that an exchange on a kept connection suspends once: a call of an asynchronous function costs a
/// look at the executor when it starts and when it returns.
///
/// A stream has two halves. One task at a time uses the reading half; it also writes the head. After that, a second
/// task may use the writing half (``write(_:)``, ``sendFile(_:from:)``, ``finish(trailers:)``, ``flush()``, waits for
/// writing) while the first one reads. ``rouse()`` may be called by any thread at any time, ``cancel()`` by the owner
/// of the reading half after the writing half has been told to stop.
protocol MessageStream: AnyObject, Sendable {
    // MARK: The request

    /// Encodes the head for the version in use, and the content behind it where both can leave in one piece. Nothing is
    /// sent before ``flush()``.
    ///
    /// - Parameters:
    ///   - head: The request's head.
    ///   - content: All of the content, where it is in memory and there are no trailers. Takes no part in the head:
    ///     ``RequestHead/content`` has its length.
    /// - Returns: The size of the head, and what is left to be sent.
    /// - Throws: ``StreamFailure/failed(_:)`` with ``TransportError/Code/invalidRequest`` if the head cannot be
    ///   expressed; the stream is then as it was.
    func begin(_ head: borrowing RequestHead, content: Data?) throws(StreamFailure) -> StreamBeginning

    /// Sends what was encoded or accepted and has not left yet, as far as there is room.
    ///
    /// A peer that closes its direction may have answered before: if the connection takes the beginning of the head and
    /// breaks then, that counts as ``FlushResult/done``, and the reading half reports what came.
    ///
    /// - Returns: Whether everything has left. If not, wait for ``Socket/Direction/writing`` and call again.
    /// - Throws: ``StreamFailure/lost(code:words:)`` when the connection broke.
    func flush() throws(StreamFailure) -> FlushResult

    /// Whether a byte of the request has left, so that the server may have acted on it.
    var hasSent: Bool { get }

    /// Accepts content, framed as the version demands, and sends what there is room for.
    ///
    /// Content that was accepted is the stream's to deliver; call ``flush()`` after a piece and before the next wait
    /// for anything but room. HTTP/2 accepts no more than the windows of stream and connection allow (RFC 9113 §5.2).
    ///
    /// - Parameter content: A piece, or what is left of it after earlier calls. Not empty; valid during the call only.
    /// - Returns: ``IOResult/bytes(_:)`` with the count of bytes that were accepted, ``IOResult/blocked`` when there is
    ///   room for none: wait for ``Socket/Direction/writing``. ``IOResult/ended`` and ``IOResult/failed(_:)`` when the
    ///   connection broke or the peer takes no more of this stream.
    func write(_ content: UnsafeRawBufferPointer) -> IOResult

    /// Sends a part of a file without its bytes passing through the process, where the version and the connection allow
    /// it.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - position: The offset within the file's region.
    /// - Returns: As ``write(_:)``; ``IOResult/ended`` when the file is shorter than it was. `nil` where it has to pass
    ///   through memory: over TLS, in chunks, in frames.
    func sendFile(_ file: FileContent, from position: Int64) -> IOResult?

    /// Ends the request: by the last chunk, by `END_STREAM`, or by nothing where the announced length is reached.
    /// ``flush()`` sends it.
    ///
    /// - Parameter trailers: Fields that follow the content (RFC 9110 §6.5).
    /// - Throws: ``StreamFailure/failed(_:)`` with ``TransportError/Code/invalidRequest`` for a field that cannot be a
    ///   trailer.
    func finish(trailers: HTTPFields?) throws(StreamFailure)

    /// Changes the priority of the exchange to the latest one of `updates` (RFC 9218 §7), where the version of HTTP has a
    /// means for it. Any thread may call it at any time after ``begin(_:content:)``.
    func updatePriority(_ updates: PriorityUpdates)

    // MARK: The response

    /// Whether ``next(_:)`` may bring something without a wait: bytes that have been received, an end, a failure.
    var hasInput: Bool { get }

    /// Returns the next event of the response.
    ///
    /// Not calling it with ``Demand/more`` is backpressure: HTTP/1.1 reads no more from the socket, HTTP/2 returns no
    /// credit (RFC 9113 §5.2). Content that came before a failure is returned before the failure is thrown.
    ///
    /// - Parameter demand: What the caller has room for.
    /// - Throws: Why the response cannot be read on; only with ``Demand/more``.
    func next(_ demand: Demand) throws(StreamFailure) -> MessageEvent

    /// Whether the request may be sent again on another connection, and why.
    ///
    /// - Parameter error: What the exchange made of a failure of ``flush()`` or ``next(_:)``.
    /// - Returns: `nil` when the server may have done more than close the connection or refuse the stream.
    func repetition(after error: TransportError) -> Repetition?

    // MARK: Waiting

    /// Waits until the direction may be ready, the task is cancelled, ``rouse()`` is called, or it is `due`.
    ///
    /// - Parameters:
    ///   - direction: The direction. Of several streams on a connection, one may read for all.
    ///   - due: An instant of the monotonic clock in nanoseconds; `.max` for none.
    ///   - spin: The budget for holding the thread before the task is suspended; `nil` for none.
    ///   - isAlone: Whether no second task uses the stream.
    nonisolated(nonsending) func wait(
        for direction: Socket.Direction,
        until due: Int64,
        _ spin: SpinBudget?,
        isAlone: Bool
    ) async -> Socket.WaitEnd

    /// Has the tasks that wait look again at their limits, and at why they are to give up.
    func rouse()

    // MARK: The end

    /// Gives the stream up before its end. HTTP/2 resets it (`RST_STREAM`, RFC 9113 §6.4) and leaves its connection to
    /// others; HTTP/1.1 can do nothing else but lose its connection.
    func cancel()

    /// Ends the stream after ``MessageEvent/end(trailers:)``.
    ///
    /// - Parameter isRequestWhole: Whether the request was sent whole. If not, HTTP/2 resets the stream without an
    ///   error (RFC 9113 §8.1).
    /// - Returns: Why the connection can carry no further stream; `nil` when it can.
    func release(isRequestWhole: Bool) -> String?

    /// Turns the stream into one of bytes, after a head with ``MessageContent/tunnel``.
    ///
    /// - Parameter onEnd: Called once, when the stream of bytes has been closed or dropped, with the reason why the
    ///   connection can carry no further stream; `nil` when it can.
    func makeDuplexStream(onEnd: @escaping @Sendable (_ closeReason: String?) -> Void) -> any DuplexStream
}

/// What an exchange has room for.
enum Demand {
    /// Anything: the caller pulls.
    case more
    /// Events that have been received already. Nothing is read for them, and content is credited with the next ``more``
    /// or the end.
    case arrived
    /// The response's end, if it has been received together with the content before it.
    case end
}

/// How much has left.
enum FlushResult {
    /// Everything.
    case done
    /// Something, and there is no room for the rest: a sign of life.
    case progress
    /// Nothing: there is no room.
    case blocked
}

/// What became of a request's head.
struct StreamBeginning {
    /// The size of the head on the wire in bytes.
    var headByteCount: Int
    /// Whether the content leaves together with the head, and nothing of the request is left to do after
    /// ``MessageStream/flush()``.
    var includesContent: Bool
    /// Whether the head asks for `100 (Continue)` before the content (RFC 9110 §10.1.1).
    var expectsContinue: Bool
}
