/// How a case wants its peer to behave: a value, so that every kind of peer can make of it what it can.
///
/// ```swift
/// PeerScenario(.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc"), .reset)
/// ```
public struct PeerScenario: Sendable {
    /// What an attempt to connect meets.
    public enum Place: Sendable, Hashable {
        /// A peer that accepts.
        case listening
        /// A port where nobody listens.
        case refusing
        /// A host that never answers.
        case swallowing
        /// A name without an address.
        case nameless
    }

    /// What an attempt to connect meets.
    public let place: Place

    /// What is done on each connection: on the first, the second, and so on; the last script is for all that follow.
    ///
    /// A connection whose script is at its end stays open until the client closes it.
    public let connections: [[PeerStep]]

    /// How it does TLS; `nil` for a peer in the clear. The steps are then those of what is encrypted.
    public let tls: PeerTLS?

    /// A peer that does the same on every connection.
    public init(tls: PeerTLS? = nil, _ steps: PeerStep...) {
        self.init(tls: tls, connections: [steps])
    }

    /// A peer that does something else on each connection.
    public init(tls: PeerTLS? = nil, connections: [[PeerStep]]) {
        place = .listening
        self.connections = connections
        self.tls = tls
    }

    /// A peer that no connection reaches.
    public init(_ place: Place) {
        self.place = place
        connections = [[]]
        tls = nil
    }

    /// What is done on the connection of that number, from 0.
    public func steps(for index: Int) -> [PeerStep] {
        index < connections.count ? connections[index] : connections.last ?? []
    }
}

/// One thing that a peer does on a connection.
public indirect enum PeerStep: Sendable {
    /// Reads a request's head.
    case readHead
    /// Reads the content that belongs to the last head (RFC 9112 §6).
    case readBody
    /// Reads a request, head and content.
    case readRequest
    /// Reads the preface of an HTTP/2 client (RFC 9113 §3.4).
    case readHTTP2Preface
    /// Reads HTTP/2 frames up to the head of a request.
    case readHTTP2Head
    /// Reads HTTP/2 frames up to the end of the last request.
    case readHTTP2Body
    /// Reads HTTP/2 frames until a request has arrived whole.
    case readHTTP2Request
    /// Reads HTTP/2 frames up to one of this type that has these flags.
    case readHTTP2Frame(type: UInt8, flags: UInt8)
    /// Waits for a time, and sets a mark if the head of an HTTP/2 request arrives meanwhile. Steps that follow read it.
    case watchForHTTP2Head(Duration, mark: String)
    /// Sends the same bytes without end and discards what the client sends. The mark `flooding` is set after the first
    /// MiB.
    case floodAndDiscard([UInt8])
    /// Sends bytes.
    case sendBytes([UInt8])
    /// Sends what a closure makes of the last request.
    case reply(@Sendable (ObservedRequest) -> [UInt8])
    /// Sends bytes one at a time, with a pause after each.
    case trickle([UInt8], pause: Duration)
    /// Sends the same bytes again and again: `total` in all, or without end. The first time that the client takes no
    /// more, the mark `blocked` is set; at the end, `flooded`.
    case flood([UInt8], total: Int?)
    /// Sends each chunk of the request's content back as soon as it has come, and the last chunk at the end.
    case echoChunks
    /// Sends back whatever comes, byte for byte, until the client ends its direction; then ends its own.
    case echoBytes
    /// Tells the case that the peer has come so far.
    case mark(String)
    /// Waits until the case opens the gate.
    case await(String)
    /// Reads and throws away, until the client closes. The mark `closed` is set then.
    case awaitClose
    /// Ends the direction to the client.
    case finishWriting
    /// Closes the connection, and sets the mark `ended`.
    case close
    /// Closes the connection with a reset, and sets the mark `ended`.
    case reset
    /// Closes the connection without the closing message of TLS (RFC 8446 §6.1), and sets the mark `ended`. In the
    /// clear, it closes it.
    case cut
    /// Does these steps again and again.
    case forever([PeerStep])

    /// Sends a text.
    public static func send(_ text: String) -> PeerStep { .sendBytes(Array(text.utf8)) }

    /// Sends HTTP/2 frames.
    public static func frames(_ frames: [HTTP2Frame]) -> PeerStep { .sendBytes(frames.bytes) }
}
