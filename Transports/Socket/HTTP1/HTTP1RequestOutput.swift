internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes

/// A head that was encoded for HTTP/1.1, because it had to be checked before a connection was opened.
struct CheckedHead: Sendable {
    let bytes: [UInt8]
    let traits: HTTP1RequestWriter.HeadTraits
}

/// The unsent bytes of a request: the head, the framing of chunks, and small content with either.
struct HTTP1RequestOutput {
    /// The size up to which content is copied after its head or into its chunk, so that both leave in one system call
    /// and one TLS record, whose maximum is 16 KiB.
    private static let joinedSize = 16 * 1024

    /// The traits of a head, and the beginning that the exchange gets.
    struct EncodedHead {
        let traits: HTTP1RequestWriter.HeadTraits
        let beginning: StreamBeginning
    }

    private var bytes: [UInt8] = []
    private var position = 0
    /// Whether the bytes are those of a head that is sent repeatedly, and belong to it.
    private var isShared = false
    /// Whether a byte of the request was sent.
    private(set) var hasSent = false
    /// Whether the head was sent, so that the remaining bytes are content.
    private(set) var isPastHead = false
    /// Whether content is framed in chunks (RFC 9112 §7.1).
    private(set) var isChunked = false
    /// The number of unsent bytes of a chunk whose content is not copied.
    private(set) var chunkRest = 0

    // MARK: Bytes

    var isEmpty: Bool { position == bytes.count }

    /// Calls `body` with the unsent bytes.
    func rest(_ body: (UnsafeRawBufferPointer) -> IOResult) -> IOResult {
        bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[position...])) }
    }

    mutating func advance(by count: Int) {
        position += count
        // Stored once: the exchange reads the flag while its upload continues.
        if !hasSent { hasSent = true }
    }

    /// Discards the rest of a head, because the connection accepts no more.
    mutating func discard() { position = bytes.count }

    /// Records that all bytes were sent. Returns the memory of a head.
    mutating func noteEmpty() -> [UInt8]? {
        guard !isPastHead else { return nil }
        isPastHead = true
        position = 0
        var memory: [UInt8] = []
        swap(&memory, &bytes)
        return isShared ? nil : memory
    }

    // MARK: The head

    /// Begins with the bytes of a head without content that was sent before; `nil` if they are not known.
    mutating func begin(known head: borrowing RequestHead) -> EncodedHead? {
        guard head.isPlain, let known = head.shared.encodedBytes else { return nil }
        begin(known, isShared: true, isChunked: false)
        let beginning = StreamBeginning(headByteCount: known.count, includesContent: true, expectsContinue: false)
        return EncodedHead(traits: .plain, beginning: beginning)
    }

    private mutating func begin(_ bytes: consuming [UInt8], isShared: Bool, isChunked: Bool) {
        self.bytes = bytes
        self.isShared = isShared
        self.isChunked = isChunked
        position = 0
        hasSent = false
        isPastHead = false
        chunkRest = 0
    }

    /// Encodes a head, followed by the content if that is small.
    ///
    /// - Parameter memory: An empty array, whose memory is used.
    /// - Throws: ``StreamFailure/failed(_:)`` if the head cannot be expressed. The output is unchanged then.
    mutating func begin(
        _ head: borrowing RequestHead,
        content: Data?,
        origin: Origin,
        in memory: consuming [UInt8]
    ) throws(StreamFailure) -> EncodedHead {
        var encoded = memory
        let traits: HTTP1RequestWriter.HeadTraits
        do throws(TransportError) {
            traits = try head.encode(to: &encoded, origin: origin)
        } catch {
            throw .failed(error)
        }
        return begin(encoded, traits, of: head.content, content: content)
    }

    /// Begins with an encoded head, followed by the content if that is small.
    mutating func begin(
        _ encoded: consuming [UInt8],
        _ traits: HTTP1RequestWriter.HeadTraits,
        of length: RequestContentLength,
        content: Data?
    ) -> EncodedHead {
        var beginning = StreamBeginning(
            headByteCount: encoded.count,
            includesContent: length == .none,
            expectsContinue: traits.expectsContinue
        )
        if let content, content.count <= Self.joinedSize, !traits.expectsContinue {
            encoded += content
            beginning.includesContent = true
        }
        begin(encoded, isShared: false, isChunked: length == .unknown)
        return EncodedHead(traits: traits, beginning: beginning)
    }

    // MARK: Chunks

    /// Begins a chunk of `content`.
    ///
    /// - Returns: Whether the output contains the whole chunk. If not, the caller writes the content without a copy.
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

    /// Records that `count` bytes of a chunk's content were sent.
    ///
    /// - Returns: Whether the chunk is complete. The output then contains its suffix.
    mutating func advanceChunk(by count: Int) -> Bool {
        chunkRest -= count
        guard chunkRest == 0 else { return false }
        bytes.removeAll(keepingCapacity: true)
        position = 0
        bytes += HTTP1Chunks.suffix
        return true
    }

    /// Appends the end of the content.
    mutating func finish(trailers: HTTPFields?, origin: Origin) throws(TransportError) {
        guard isChunked else { return }
        try HTTP1Chunks.writeEnd(trailers: trailers, to: &bytes, origin: origin)
    }
}

extension RequestHead {
    /// Checks that the head can be encoded, before a connection is opened for it. It is checked for HTTP/1.1, which has
    /// the strictest rules.
    ///
    /// - Returns: The encoded head, for a connection that speaks HTTP/1.1.
    /// - Throws: ``TransportError/Code/invalidRequest``.
    func checked(_ origin: Origin) throws(TransportError) -> CheckedHead {
        var encoded: [UInt8] = []
        let traits = try encode(to: &encoded, origin: origin)
        return CheckedHead(bytes: encoded, traits: traits)
    }

    /// Encodes the head, with the handshake of an upgrade.
    fileprivate func encode(to buffer: inout [UInt8], origin: Origin) throws(TransportError)
        -> HTTP1RequestWriter.HeadTraits
    {
        do throws(HTTP1Violation) {
            if let upgrade { return try asking(for: upgrade).encodeHTTP1(to: &buffer) }
            let traits = try encodeHTTP1(to: &buffer)
            if isPlain, traits == .plain { shared.remember(buffer) }
            guard traits.kind != .connect else {
                throw .invalidRequest("CONNECT opens a tunnel: set the request's `upgrade` to `.tunnel(to:)`")
            }
            return traits
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
