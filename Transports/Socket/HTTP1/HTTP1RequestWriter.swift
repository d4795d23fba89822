package import AirframeTransport
internal import HTTPTypes

/// Writes a request's head into bytes (RFC 9112 §3 and §5), and refuses what would become another request on the way.
///
/// `Host` comes first, then the fields in their order, repeats included, then what the engine adds. The engine frames
/// the content: a `Content-Length` or `Transfer-Encoding` of the request's own may say the same and is then written
/// once, in the engine's words; anything else is refused.
package struct HTTP1RequestWriter: Sendable {
    /// What the head's bytes say about the exchange.
    package struct Outcome: Sendable, Hashable {
        /// How the response is to be read: for ``HTTP1ResponseParser/begin(_:asksToClose:)``.
        package var kind: HTTP1RequestKind
        /// Whether the request said `Connection: close`.
        package var asksToClose = false
        /// Whether the request asked for `100 (Continue)`.
        package var expectsContinue = false
    }

    /// Appends the head to `buffer`, up to its empty line.
    ///
    /// - Throws: ``TransportError/Code/invalidRequest``; `buffer` is then as it was.
    package static func write(
        _ head: HTTP1RequestHead,
        to buffer: inout [UInt8],
        origin: Origin? = nil
    ) throws(TransportError) -> Outcome {
        do throws(HTTP1Violation) {
            return try head.write(to: &buffer)
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
}

// Of the head itself, and not of a writer that has one: a copy of a request's head retains a dozen strings.
extension HTTP1RequestHead {
    fileprivate typealias Outcome = HTTP1RequestWriter.Outcome

    fileprivate func write(to buffer: inout [UInt8]) throws(HTTP1Violation) -> Outcome {
        let name = request.method
        let method = HTTP1Method(name)
        try checkContent(method)
        let target = try HTTP1RequestTarget(self, method)
        // Going over the fields costs more than writing them, so it is done once: with a guess at the size, and with
        // the authority as the host. Few heads need another round.
        // Below 1 KiB with the array's own fields, which the C library has at hand.
        var bound = 960
        var host: HTTPField?
        while true {
            var outcome = Outcome(kind: .ordinary)
            do throws(HTTP1WriteFailure) {
                try buffer.append(upTo: bound) { output throws(HTTP1WriteFailure) in
                    guard try output.append(name: name.rawValue) else {
                        throw .refused("the method \(name.rawValue.debugDescription) is not a token")
                    }
                    outcome = try write(target, method, host: host, to: &output)
                }
                return outcome
            } catch {
                switch error {
                case .outgrown: bound *= 4
                case .hasHost(let field): host = field
                case .refused(let violation): throw violation
                }
            }
        }
    }

    /// Writes what follows the method.
    private func write(
        _ target: HTTP1RequestTarget,
        _ method: HTTP1Method,
        host: HTTPField?,
        to output: inout OutputSpan<UInt8>
    ) throws(HTTP1WriteFailure) -> Outcome {
        try output.append(" ")
        if !target.prefix.isEmpty { try output.append(text: target.prefix) }
        try output.append(text: target.target)
        try output.append(" HTTP/1.1\r\nHost: ")
        if let host {
            try output.append(valueOf: host)
        } else {
            try output.append(text: target.host)
        }
        try output.append("\r\n")
        var notes = HTTP1RequestNotes(content: content, host: host)
        // By index: an iterator copies each field twice, with its three strings.
        let fields = request.headerFields
        for index in fields.indices {
            let field = fields[index]
            if try notes.take(field) { try output.append(field) }
        }
        for field in additionalFields where try notes.take(field) { try output.append(field) }
        return try writeOwnFields(notes, method, to: &output)
    }

    private func checkContent(_ method: HTTP1Method) throws(HTTP1Violation) {
        guard content != .none else { return }
        switch method {
        case .head: throw .invalidRequest("a HEAD request with content has no meaning that servers agree on")
        case .trace: throw .invalidRequest("a TRACE request cannot have content (RFC 9110 §9.3.8)")
        case .connect: throw .invalidRequest("a CONNECT request cannot have content (RFC 9110 §9.3.6)")
        default: break
        }
    }

    private func writeOwnFields(
        _ notes: HTTP1RequestNotes,
        _ method: HTTP1Method,
        to output: inout OutputSpan<UInt8>
    ) throws(HTTP1WriteFailure) -> Outcome {
        guard hasContent || !notes.expectsContinue else {
            throw .refused("Expect: 100-continue without content (RFC 9110 §10.1.1)")
        }
        switch content {
        case .none:
            if method == .contentful { try output.append("Content-Length: 0\r\n") }
        case .length(let length):
            guard length >= 0 else { throw .refused("the content's length is \(length)") }
            try output.append("Content-Length: ")
            try output.append(text: String(length))
            try output.append("\r\n")
        case .chunked:
            try output.append("Transfer-Encoding: chunked\r\n")
        }
        let asksHere = expectsContinue && hasContent && !notes.expectsContinue
        if asksHere { try output.append("Expect: 100-continue\r\n") }
        if notes.lacksUpgradeOption { try output.append("Connection: Upgrade\r\n") }
        if notes.lacksTEOption { try output.append("Connection: TE\r\n") }
        try output.append("\r\n")
        return Outcome(
            kind: kind(method, notes),
            asksToClose: notes.asksToClose,
            expectsContinue: asksHere || notes.expectsContinue
        )
    }

    private var hasContent: Bool {
        switch content {
        case .none, .length(0): false
        case .length, .chunked: true
        }
    }

    private func kind(_ method: HTTP1Method, _ notes: HTTP1RequestNotes) -> HTTP1RequestKind {
        switch method {
        case .connect: .connect
        case .head: .head
        default: notes.hasUpgrade ? .upgrade : .ordinary
        }
    }
}
