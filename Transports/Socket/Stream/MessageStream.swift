internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes

/// One exchange on a connection: encodes the request and decodes the response in the connection's HTTP version.
///
/// An ``Exchange`` handles limits, events and retries; a stream handles bytes and frames. Over HTTP/1.1 a connection
/// has one stream object for all its exchanges; over HTTP/2 each stream has its own.
///
/// Only ``wait(for:until:_:isAlone:)`` suspends. The other functions do what is possible without waiting and report
/// when there is nothing to do, so that an exchange on a kept connection suspends once: Swift's runtime checks the
/// executor at the start and at the return of each asynchronous call.
///
/// A stream has two halves. One task at a time uses the reading half, and also writes the head. After that a second
/// task may use the writing half (``write(_:)``, ``sendFile(_:from:)``, ``finish(trailers:)``, ``flush()``, waits for
/// writing) while the first one reads. Any thread may call ``rouse()`` at any time. The owner of the reading half may
/// call ``cancel()`` after it has told the writing task to stop.
protocol MessageStream: AnyObject, Sendable {
    // MARK: The request

    /// Encodes the head for the version in use, followed by the content if both fit into one write. Nothing is sent
    /// before ``flush()``.
    ///
    /// - Parameters:
    ///   - head: The request's head.
    ///   - checked: The head as its check has encoded it, if a connection was opened for it.
    ///   - content: All of the content, if it is in memory and there are no trailers. The head takes its length from
    ///     ``RequestHead/content``.
    /// - Returns: The size of the head, and whether the content is included.
    /// - Throws: ``StreamFailure/failed(_:)`` with ``TransportError/Code/invalidRequest`` if the head cannot be
    ///   expressed. The stream is unchanged then.
    func begin(
        _ head: borrowing RequestHead,
        checked: consuming CheckedHead?,
        content: Data?
    ) throws(StreamFailure) -> StreamBeginning

    /// Sends encoded or accepted bytes that have not been sent, as many as the connection accepts.
    ///
    /// A peer may answer and then close the connection: if the connection breaks after part of the head was sent, the
    /// result is ``FlushResult/done``, and the reading half reports the response or the error.
    ///
    /// - Returns: Whether everything was sent. If not, wait for ``Socket/Direction/writing`` and call again.
    /// - Throws: ``StreamFailure/lost(code:words:)`` if the connection broke.
    func flush() throws(StreamFailure) -> FlushResult

    /// Whether a byte of the request was sent, so that the server may have processed it.
    var hasSent: Bool { get }

    /// The identifier of the stream after ``begin(_:checked:content:)`` (RFC 9113 §5.1.1); `nil` over HTTP/1.1.
    var streamID: Int? { get }

    /// Accepts content, frames it for the version in use, and sends as much as the connection accepts.
    ///
    /// The stream delivers accepted content. Call ``flush()`` after a piece and before the next wait for anything but
    /// room. HTTP/2 accepts no more than the stream's and the connection's windows allow (RFC 9113 §5.2).
    ///
    /// - Parameter content: A piece, or its rest after earlier calls. Not empty; valid during the call only.
    /// - Returns: ``IOResult/bytes(_:)`` with the number of accepted bytes; ``IOResult/blocked`` if there is no room,
    ///   so that the caller must wait for ``Socket/Direction/writing``; ``IOResult/ended`` or ``IOResult/failed(_:)``
    ///   if the connection broke or the peer accepts no more content on this stream.
    func write(_ content: UnsafeRawBufferPointer) -> IOResult

    /// Like ``write(_:)``, for content after which the request ends without trailers. HTTP/2 ends the stream with the
    /// last frame of it. ``finish(trailers:)`` must still be called.
    func writeLast(_ content: UnsafeRawBufferPointer) -> IOResult

    /// Sends a part of a file without copying it through the process, if the version and the connection allow it.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - position: The offset within the file's region.
    /// - Returns: As ``write(_:)``; ``IOResult/ended`` if the file has become shorter. `nil` if the content must pass
    ///   through memory: over TLS, in chunks, in frames.
    func sendFile(_ file: FileContent, from position: Int64) -> IOResult?

    /// Encodes the end of the request: the last chunk, `END_STREAM`, or nothing if the declared length is reached.
    /// ``flush()`` sends it.
    ///
    /// - Parameter trailers: Fields that follow the content (RFC 9110 §6.5).
    /// - Throws: ``StreamFailure/failed(_:)`` with ``TransportError/Code/invalidRequest`` for a field that cannot be a
    ///   trailer.
    func finish(trailers: HTTPFields?) throws(StreamFailure)

    /// Changes the priority of the exchange to the latest one of `updates` (RFC 9218 §7), if the HTTP version supports
    /// it. Any thread may call it at any time after ``begin(_:content:)``.
    func updatePriority(_ updates: PriorityUpdates)

    // MARK: The response

    /// Whether ``next(_:)`` may return an event without a wait: received bytes, the end, a failure.
    var hasInput: Bool { get }

    /// Returns the next event of the response.
    ///
    /// Backpressure: until it is called with ``Demand/more``, HTTP/1.1 reads no more from the socket, and HTTP/2
    /// returns no credit (RFC 9113 §5.2). Content that arrived before a failure is returned before the failure is
    /// thrown.
    ///
    /// - Parameter demand: The events that the caller has room for.
    /// - Throws: The stream's failure; only with ``Demand/more``.
    func next(_ demand: Demand) throws(StreamFailure) -> MessageEvent

    /// Returns whether the request may be sent again on another connection, and why.
    ///
    /// - Parameters:
    ///   - error: The exchange's error for a failure of ``flush()`` or ``next(_:)``.
    ///   - isReused: Whether the connection was kept open before the exchange.
    /// - Returns: `nil` if the server may have done more than close the connection or refuse the stream.
    func repetition(after error: TransportError, isReused: Bool) -> Repetition?

    // MARK: Waiting

    /// Spins until bytes can be read, without suspending the task.
    ///
    /// - Parameter isAlone: Whether no second task uses the stream.
    func spin(_ budget: SpinBudget, isAlone: Bool) -> SpinEnd

    /// Waits until the direction may be ready, the task is cancelled, ``rouse()`` is called, or `due` has passed.
    ///
    /// - Parameters:
    ///   - direction: The direction. If a connection has several streams, one may read for all.
    ///   - due: An instant of the monotonic clock in nanoseconds; `.max` for none.
    ///   - spin: The time for which to spin before the task is suspended; `nil` for none.
    ///   - isAlone: Whether no second task uses the stream.
    nonisolated(nonsending) func wait(
        for direction: Socket.Direction,
        until due: Int64,
        _ spin: SpinBudget?,
        isAlone: Bool
    ) async -> Socket.WaitEnd

    /// Wakes waiting tasks, so that they check their limits and interruptions again.
    func rouse()

    // MARK: The end

    /// Gives the content up before ``cancel()`` or ``release(isRequestWhole:)``. The cancelled task that writes it may
    /// run for a long time and keeps the connection open. HTTP/1.1 therefore shuts the connection down; HTTP/2 resets
    /// the stream in the functions that follow.
    func abandonContent()

    /// Cancels the stream before its end. HTTP/2 resets the stream (`RST_STREAM`, RFC 9113 §6.4) and keeps the
    /// connection; over HTTP/1.1 the connection must be closed.
    func cancel()

    /// Ends the stream after ``MessageEvent/end(trailers:)``.
    ///
    /// - Parameter isRequestWhole: Whether the whole request was sent. If not, HTTP/2 resets the stream without an
    ///   error (RFC 9113 §8.1).
    /// - Returns: Why the connection can carry no further stream; `nil` if it can.
    func release(isRequestWhole: Bool) -> String?

    /// Turns the stream into a byte stream, after a head with ``MessageContent/tunnel``.
    ///
    /// - Parameters:
    ///   - spin: Returns the budget for spinning before a read is suspended; `nil` for none.
    ///   - onEnd: Called once, when the byte stream has been closed or released, with the reason why the connection can
    ///     carry no further stream; `nil` if it can.
    func makeDuplexStream(
        spin: @escaping @Sendable () -> SpinBudget?,
        onEnd: @escaping @Sendable (_ closeReason: String?) -> Void
    ) -> any DuplexStream
}

extension MessageStream {
    /// No identifier: HTTP/1.1 has none.
    var streamID: Int? { nil }

    /// Writes content like any other: its declared length ends it.
    func writeLast(_ content: UnsafeRawBufferPointer) -> IOResult { write(content) }

    /// Does nothing: the connection of several streams stays open.
    func abandonContent() {}

    /// Leaves spinning to ``wait(for:until:_:isAlone:)``.
    func spin(_ budget: SpinBudget, isAlone: Bool) -> SpinEnd { .unsupported }
}

/// The result of spinning.
enum SpinEnd {
    /// Bytes can be read.
    case ready
    /// Bytes can be read, and other tasks may be waiting for the thread.
    case readyAfterYield
    /// Nothing arrived in time.
    case missed
    /// The stream spins only within ``MessageStream/wait(for:until:_:isAlone:)``.
    case unsupported
}

/// The events that an exchange has room for.
enum Demand {
    /// Any event: the caller pulls.
    case more
    /// Events that have already been received. Nothing is read, and content is credited with the next ``more`` or at
    /// the end.
    case arrived
    /// The end of the response, if it was received together with the content before it.
    case end
}

/// The result of a flush.
enum FlushResult {
    /// All bytes were sent.
    case done
    /// Some bytes were sent, and there is no room for the rest. This restarts limits.
    case progress
    /// No byte was sent: there is no room.
    case blocked
}

/// The result of encoding a request head.
struct StreamBeginning {
    /// The size of the head on the wire in bytes.
    var headByteCount: Int
    /// Whether the content is sent together with the head, so that the request is complete after
    /// ``MessageStream/flush()``.
    var includesContent: Bool
    /// Whether the head expects `100 (Continue)` before the content (RFC 9110 §10.1.1).
    var expectsContinue: Bool
}
