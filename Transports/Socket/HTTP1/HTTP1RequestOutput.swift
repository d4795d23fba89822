internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes

/// The bytes of a request on their way out: the head, the framing of chunks, small content with either.
struct HTTP1RequestOutput {
    /// The largest content that is copied behind its head or into its chunk, so that both leave in one system call, one
    /// packet and one TLS record, which has at most 16 KiB.
    private static let joinedSize = 16 * 1024

    /// What the writer found out about a head, and what the exchange is told.
    struct Outcome {
        let request: HTTP1RequestWriter.Outcome
        let beginning: StreamBeginning
    }

    private var bytes: [UInt8] = []
    private var position = 0
    /// Whether a byte of the request has left.
    private(set) var hasSent = false
    /// Whether the head has left, and what follows is content.
    private(set) var isPastHead = false
    /// Whether content is framed in chunks (RFC 9112 §7.1).
    private(set) var isChunked = false
    /// How much is left of a chunk whose content is not copied.
    private(set) var chunkRest = 0

    // MARK: Bytes

    var isEmpty: Bool { position == bytes.count }

    /// Calls `body` with what is left.
    func rest(_ body: (UnsafeRawBufferPointer) -> IOResult) -> IOResult {
        bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[position...])) }
    }

    mutating func advance(by count: Int) {
        position += count
        // Written once: an exchange reads it while its upload goes on.
        if !hasSent { hasSent = true }
    }

    /// Discards what is left of a head: the connection takes no more.
    mutating func discard() { position = bytes.count }

    /// Notes that all has left, and frees the memory of a head.
    mutating func noteEmpty() {
        guard !isPastHead else { return }
        isPastHead = true
        bytes = []
        position = 0
    }

    // MARK: The head

    /// Encodes a head, and content behind it if that is small.
    ///
    /// - Throws: ``StreamFailure/failed(_:)`` if the head cannot be expressed; the output is then as it was.
    mutating func begin(
        _ head: borrowing RequestHead,
        content: Data?,
        origin: Origin
    ) throws(StreamFailure) -> Outcome {
        var encoded: [UInt8] = []
        let outcome: HTTP1RequestWriter.Outcome
        do throws(TransportError) {
            outcome = try head.encode(to: &encoded, origin: origin)
        } catch {
            throw .failed(error)
        }
        var beginning = StreamBeginning(
            headByteCount: encoded.count,
            includesContent: head.content == .none,
            expectsContinue: outcome.expectsContinue
        )
        if let content, content.count <= Self.joinedSize, !outcome.expectsContinue {
            encoded += content
            beginning.includesContent = true
        }
        bytes = encoded
        position = 0
        hasSent = false
        isPastHead = false
        isChunked = head.content == .unknown
        chunkRest = 0
        return Outcome(request: outcome, beginning: beginning)
    }

    // MARK: Chunks

    /// Begins a chunk of `content`.
    ///
    /// - Returns: Whether the output has all of it. If not, the content is to follow from where it lies.
    mutating func beginChunk(_ content: UnsafeRawBufferPointer) -> Bool {
        bytes.removeAll(keepingCapacity: true)
        position = 0
        HTTP1Chunks.writePrefix(of: content.count, to: &bytes)
        guard content.count <= Self.joinedSize else {
            chunkRest = content.count
            return false
        }
        bytes.append(contentsOf: content)
        bytes += HTTP1Chunks.suffix
        return true
    }

    /// Notes that `count` bytes of a chunk's content have left.
    ///
    /// - Returns: Whether that was all: the output then has what ends the chunk.
    mutating func advanceChunk(by count: Int) -> Bool {
        chunkRest -= count
        guard chunkRest == 0 else { return false }
        bytes.removeAll(keepingCapacity: true)
        position = 0
        bytes += HTTP1Chunks.suffix
        return true
    }

    /// Adds what ends the content.
    mutating func finish(trailers: HTTPFields?, origin: Origin) throws(TransportError) {
        guard isChunked else { return }
        try HTTP1Chunks.writeEnd(trailers: trailers, to: &bytes, origin: origin)
    }
}

extension RequestHead {
    /// Checks that the head can be encoded, for a request whose connection has yet to be opened. HTTP/1.1 is the
    /// version with the most ways to be misunderstood.
    ///
    /// - Throws: ``TransportError/Code/invalidRequest``.
    func check(_ origin: Origin) throws(TransportError) {
        var encoded: [UInt8] = []
        _ = try encode(to: &encoded, origin: origin)
    }

    /// Encodes the head, and the handshake of an upgrade.
    fileprivate func encode(to buffer: inout [UInt8], origin: Origin) throws(TransportError)
        -> HTTP1RequestWriter.Outcome
    {
        do throws(HTTP1Violation) {
            if let upgrade { return try asking(for: upgrade).encodeHTTP1(to: &buffer) }
            let outcome = try encodeHTTP1(to: &buffer)
            guard outcome.kind != .connect else {
                throw .invalidRequest("CONNECT opens a tunnel: set the request's `upgrade` to `.tunnel(to:)`")
            }
            return outcome
        } catch {
            throw TransportError(
                error.code,
                phase: .options,
                processing: .notSent,
                message: error.message,
                origin: origin
            )
        }
    }

    private func asking(for upgrade: UpgradeProtocol) throws(HTTP1Violation) -> RequestHead {
        do throws(UpgradeProtocol.InvalidHandshake) {
            var head = self
            head.request = try upgrade.http1Head(of: TransportRequest(request))
            return head
        } catch {
            throw .invalidRequest(error.message)
        }
    }
}
