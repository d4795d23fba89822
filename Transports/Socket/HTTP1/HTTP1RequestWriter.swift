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
        _ head: RequestHead,
        to buffer: inout [UInt8],
        origin: Origin? = nil
    ) throws(TransportError) -> Outcome {
        do throws(HTTP1Violation) {
            return try head.encodeHTTP1(to: &buffer)
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
extension RequestHead {
    private typealias Outcome = HTTP1RequestWriter.Outcome

    func encodeHTTP1(to buffer: inout [UInt8]) throws(HTTP1Violation) -> HTTP1RequestWriter.Outcome {
        let name = request.method
        let method = HTTP1Method(name)
        try checkContent(method)
        let line = Line(method: method, name: name.rawValue, target: try HTTP1RequestTarget.make(self, method))
        // Going over the fields costs more than writing them, so it is done once: with a guess at the size, and with
        // the authority as the host. Few heads need another round.
        // Below 1 KiB with the array's own fields, which the C library has at hand.
        let bound = 960
        do throws(HTTP1WriteFailure) {
            return try write(line, host: nil, upTo: bound, to: &buffer)
        } catch {
            return try writeAgain(line, after: error, upTo: bound, to: &buffer)
        }
    }

    /// What the first lines are made of.
    private struct Line {
        let method: HTTP1Method
        let name: String
        let target: HTTP1RequestTarget
    }

    /// Writes a head that is larger than most, or has a `Host` of its own.
    private func writeAgain(
        _ line: Line,
        after failure: HTTP1WriteFailure,
        upTo first: Int,
        to buffer: inout [UInt8]
    ) throws(HTTP1Violation) -> Outcome {
        var bound = first
        var host: HTTPField?
        var failure = failure
        while true {
            switch failure {
            case .outgrown: bound *= 4
            case .hasHost(let field): host = field
            case .refused(let violation): throw violation
            }
            do throws(HTTP1WriteFailure) {
                return try write(line, host: host, upTo: bound, to: &buffer)
            } catch {
                failure = error
            }
        }
    }

    private func write(
        _ line: Line,
        host: HTTPField?,
        upTo bound: Int,
        to buffer: inout [UInt8]
    ) throws(HTTP1WriteFailure) -> Outcome {
        var outcome = Outcome(kind: .ordinary)
        // Asked before, so that a field that is not there is not copied.
        let hasHost = if case .some = host { true } else { false }
        try buffer.append(upTo: bound) { output throws(HTTP1WriteFailure) in
            guard try output.append(name: line.name) else {
                throw .refused("the method \(line.name.debugDescription) is not a token")
            }
            try output.append(" ")
            if !line.target.prefix.isEmpty { try output.append(text: line.target.prefix) }
            try output.append(text: line.target.target)
            try output.append(" HTTP/1.1\r\nHost: ")
            if hasHost, let host {
                try output.append(valueOf: host)
            } else {
                try output.append(text: line.target.host)
            }
            try output.append("\r\n")
            let isForProxy = form == .absolute || line.method == .connect
            var notes = HTTP1RequestNotes(content: content, hasHost: hasHost, isForProxy: isForProxy)
            try write(request.headerFields, &notes, to: &output)
            try write(additionalFields, &notes, to: &output)
            outcome = try writeOwnFields(notes, line.method, to: &output)
        }
        return outcome
    }

    private func write(
        _ fields: HTTPFields,
        _ notes: inout HTTP1RequestNotes,
        to output: inout OutputSpan<UInt8>
    ) throws(HTTP1WriteFailure) {
        // By index: an iterator copies each field twice, with its three strings.
        for index in fields.indices {
            let field = fields[index]
            if try notes.take(field) { try output.append(field) }
        }
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
        case .unknown:
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
        case .length, .unknown: true
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
