internal import AirframeTransport
internal import AirframeWebSocketProtocol
internal import Foundation

/// Everything about a connection that changes, but for its decoder and encoder.
struct ConnectionState {
    /// How far the connection is from its end.
    enum Phase {
        case open
        /// This end sent a Close frame, or is about to. Messages are discarded.
        case closing
        /// Nothing more is received.
        case ended(End)
    }

    /// How a connection ended.
    enum End {
        /// The server sent a Close frame.
        case closed(CloseStatus)
        case failed(WebSocketError)
    }

    var phase = Phase.open
    /// The bytes of the stream are over, and it is closed.
    var isStreamClosed = false

    /// Pings at intervals.
    var keepAlive: Task<Void, Never>?

    /// What was received and not read.
    var inbox: [MessageDecoder.Event] = []
    /// The first event of the inbox that was not read: taking from an array's front would move the rest.
    var inboxStart = 0
    var inboxSize = 0

    /// Whether a task reads from the stream.
    var isReading = false
    /// Changes whenever a task that waits has reason to look again.
    var version = 0
    var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    var nextWaiter = 0

    /// Frames that go out before the next message does: pongs, pings and Close.
    var urgentFrames: [Data] = []
    var hasSentClose = false

    /// When each ping that waits for its pong was sent, by its number.
    var pings: [UInt64: MonotonicInstant] = [:]
    var pongs: [UInt64: Duration] = [:]
    var nextPing: UInt64 = 0

    var end: End? {
        guard case .ended(let end) = phase else { return nil }
        return end
    }

    var isOpen: Bool { if case .open = phase { true } else { false } }

    /// Takes the next event, if one is there.
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

    /// Returns the tasks to wake, and makes those that are about to wait look again.
    mutating func wake() -> [CheckedContinuation<Void, Never>] {
        version &+= 1
        guard !waiters.isEmpty else { return [] }
        defer { waiters = [:] }
        return Array(waiters.values)
    }
}

extension MessageDecoder.Event {
    /// What keeping the event costs, in bytes, about.
    fileprivate var size: Int {
        switch self {
        case .message(_, let data), .piece(let data), .ping(let data), .pong(let data): data.count + 64
        case .start, .end, .close: 64
        }
    }
}
