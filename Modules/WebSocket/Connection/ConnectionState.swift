internal import AirframeTransport
internal import AirframeWebSocketProtocol
internal import Foundation

/// The mutable state of a connection, except its decoder and encoder.
struct ConnectionState {
    /// The phases of the closing handshake.
    enum Phase {
        case open
        /// This end has sent or queued a Close frame. Messages are discarded.
        case closing
        /// Nothing more is received.
        case ended(End)
    }

    /// The reason for which a connection ended.
    enum End {
        /// The server sent a Close frame.
        case closed(CloseStatus)
        case failed(WebSocketError)
    }

    var phase = Phase.open
    /// Whether this end began to close the connection, which makes every end an orderly one.
    var isClosedHere = false
    /// The stream has ended and is closed.
    var isStreamClosed = false

    /// The task that sends pings at intervals.
    var keepAlive: Task<Void, Never>?

    /// Received events that no reader has taken.
    var inbox: [MessageDecoder.Event] = []
    /// The index of the first event in the inbox. Removing the first element of an array would move the rest.
    var inboxStart = 0
    var inboxSize = 0

    /// Whether a task reads from the stream.
    var isReading = false
    /// Whether the decoder has no event left and needs bytes. Set again when a task takes the right to read.
    var needsBytes = true
    /// The number of reads, and of times at which a full inbox got room so that reading can continue.
    var activity = 0
    /// A version that changes when waiting tasks should check again.
    var version = 0
    var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    /// The tasks that wait for the end of the stream. Messages do not wake them.
    var closeWaiters: [Int: CheckedContinuation<Void, Never>] = [:]
    /// Called at the end of the stream.
    var onClose: (@Sendable () -> Void)?
    var nextWaiter = 0

    /// Control frames that are sent before the next message: pongs, pings and Close.
    var urgentFrames: [Data] = []
    var hasSentClose = false

    /// The time at which each ping without a pong was sent, by its number.
    var pings: [UInt64: MonotonicInstant] = [:]
    var pongs: [UInt64: Duration] = [:]
    var nextPing: UInt64 = 0

    var end: End? {
        guard case .ended(let end) = phase else { return nil }
        return end
    }

    var isOpen: Bool { if case .open = phase { true } else { false } }

    /// Takes the next event, if there is one.
    mutating func takeEvent() -> MessageDecoder.Event? {
        guard inboxStart < inbox.count else { return nil }
        let event = inbox[inboxStart]
        inboxStart += 1
        inboxSize -= event.size
        if inboxStart == inbox.count {
            inbox.removeAll(keepingCapacity: inbox.capacity <= 8)
            inboxStart = 0
        }
        return event
    }

    mutating func add(_ event: MessageDecoder.Event) {
        inbox.append(event)
        inboxSize += event.size
    }

    mutating func discardInbox() {
        inbox = []
        inboxStart = 0
        inboxSize = 0
    }

    /// Returns the tasks to wake, and makes tasks that are about to wait check again.
    mutating func wake() -> [CheckedContinuation<Void, Never>] {
        version &+= 1
        guard !waiters.isEmpty else { return [] }
        defer { waiters = [:] }
        return Array(waiters.values)
    }
}

extension MessageDecoder.Event {
    /// The approximate memory cost of the event, in bytes.
    fileprivate var size: Int {
        switch self {
        case .text(let text): text.utf8.count + 64
        case .binary(let data), .piece(let data), .ping(let data), .pong(let data): data.count + 64
        case .start, .end, .close: 64
        }
    }
}
