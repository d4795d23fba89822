/// The behaviour of a peer as a value, so that every kind of peer can play it.
///
/// ```swift
/// PeerScenario(.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc"), .reset)
/// ```
public struct PeerScenario: Sendable {
    /// The result of an attempt to connect.
    public enum Place: Sendable, Hashable {
        /// The peer accepts.
        case listening
        /// The port is closed.
        case refusing
        /// The host never responds.
        case swallowing
        /// The name has no address.
        case nameless
    }

    /// The result of an attempt to connect.
    public let place: Place

    /// The scripts of the connections: the first, the second, and so on. The last one applies to all further
    /// connections.
    ///
    /// A connection stays open after the end of its script until the client closes it.
    public let connections: [[PeerStep]]

    /// The peer's TLS, or `nil` for a peer in the clear. With TLS the steps concern the decrypted bytes.
    public let tls: PeerTLS?

    /// Creates a peer with the same script for every connection.
    public init(tls: PeerTLS? = nil, _ steps: PeerStep...) {
        self.init(tls: tls, connections: [steps])
    }

    /// Creates a peer with a script for each connection.
    public init(tls: PeerTLS? = nil, connections: [[PeerStep]]) {
        place = .listening
        self.connections = connections
        self.tls = tls
    }

    /// Creates a peer that no connection reaches.
    public init(_ place: Place) {
        self.place = place
        connections = [[]]
        tls = nil
    }

    /// Returns the script of the connection with that number, from 0.
    public func steps(for index: Int) -> [PeerStep] {
        index < connections.count ? connections[index] : connections.last ?? []
    }
}

/// One step of a peer on a connection.
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
    /// Sends the bytes that a closure makes from the last request.
    case reply(@Sendable (ObservedRequest) -> [UInt8])
    /// Sends bytes one at a time, with a pause after each.
    case trickle([UInt8], pause: Duration)
    /// Sends the same bytes repeatedly, `total` in all or without end. Sets the mark `blocked` when the client takes no
    /// more for the first time, and `flooded` at the end.
    case flood([UInt8], total: Int?)
    /// Sends each chunk of the request's content back as soon as it has arrived, and the last chunk at the end.
    case echoChunks
    /// Sends all received bytes back until the client ends its direction, and then ends its own.
    case echoBytes
    /// Sets a mark that the case can wait for.
    case mark(String)
    /// Waits until the case opens the gate.
    case await(String)
    /// Reads and discards until the client closes. The mark `closed` is set then.
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
    /// Repeats these steps without end.
    case forever([PeerStep])

    /// Sends a string in UTF-8.
    public static func send(_ text: String) -> PeerStep { .sendBytes(Array(text.utf8)) }

    /// Sends HTTP/2 frames.
    public static func frames(_ frames: [HTTP2Frame]) -> PeerStep { .sendBytes(frames.bytes) }
}
