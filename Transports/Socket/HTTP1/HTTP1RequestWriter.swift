package import AirframeTransport
internal import HTTPTypes

/// Encodes a request head (RFC 9112 §3 and §5), and rejects heads that a recipient could read as another request.
///
/// `Host` is written first, then the fields in their order, including repeated ones, then the engine's fields. The
/// engine frames the content: the request's own `Content-Length` or `Transfer-Encoding` must agree with that framing,
/// and is then written once.
package struct HTTP1RequestWriter: Sendable {
    /// The properties of an encoded head that affect the exchange.
    package struct HeadTraits: Sendable, Hashable {
        /// The kind of request, for ``HTTP1ResponseParser/begin(_:asksToClose:)``.
        package var kind: HTTP1RequestKind
        /// Whether the request has `Connection: close`.
        package var asksToClose = false
        /// Whether the request expects `100 (Continue)`.
        package var expectsContinue = false

        /// The traits of a request whose fields do not affect the exchange.
        package static let plain = HeadTraits(kind: .ordinary)
    }

    /// Appends the head to `buffer`, up to its empty line.
    ///
    /// - Throws: ``TransportError/Code/invalidRequest``. `buffer` is unchanged then.
    package static func write(
        _ head: RequestHead,
        to buffer: inout [UInt8],
        origin: Origin? = nil
    ) throws(TransportError) -> HeadTraits {
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

// An extension of the head, since a writer with a copy of the head would retain a dozen strings.
extension RequestHead {
    private typealias HeadTraits = HTTP1RequestWriter.HeadTraits

    func encodeHTTP1(to buffer: inout [UInt8]) throws(HTTP1Violation) -> HTTP1RequestWriter.HeadTraits {
        let name = request.method
        let method = HTTP1Method(name)
        if content != .none, let fault = content.fault(of: method) { throw .invalidRequest(fault) }
        let line = Line(method: method, name: name.rawValue, target: try HTTP1RequestTarget.make(self, method))
        // One pass over the fields, assuming that the head fits into `bound` bytes and has no `Host` of its own. Other
        // heads need a second pass. With the array's header this is less than 1 KiB, which malloc serves from its
        // thread cache.
        let bound = 960
        do throws(HTTP1WriteFailure) {
            return try write(line, host: nil, upTo: bound, to: &buffer)
        } catch {
            return try writeAgain(line, after: error, upTo: bound, to: &buffer)
        }
    }

    /// The parts of the first two lines.
    private struct Line {
        let method: HTTP1Method
        let name: String
        let target: HTTP1RequestTarget
    }

    /// Writes a head that is larger than `bound`, or has a `Host` of its own.
    private func writeAgain(
        _ line: Line,
        after failure: HTTP1WriteFailure,
        upTo first: Int,
        to buffer: inout [UInt8]
    ) throws(HTTP1Violation) -> HeadTraits {
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
    ) throws(HTTP1WriteFailure) -> HeadTraits {
        var traits = HeadTraits(kind: .ordinary)
        // Checked first, so that an absent field is not copied.
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
            traits = try writeOwnFields(notes, line.method, to: &output)
        }
        return traits
    }

    private func write(
        _ fields: HTTPFields,
        _ notes: inout HTTP1RequestNotes,
        to output: inout OutputSpan<UInt8>
    ) throws(HTTP1WriteFailure) {
        // By index: an iterator copies each field, with its three strings, twice.
        for index in fields.indices {
            let field = fields[index]
            if try notes.take(field) { try output.append(field) }
        }
    }

    private func writeOwnFields(
        _ notes: HTTP1RequestNotes,
        _ method: HTTP1Method,
        to output: inout OutputSpan<UInt8>
    ) throws(HTTP1WriteFailure) -> HeadTraits {
        if notes.expectsContinue, let fault = content.faultOfExpectation { throw .refused(fault) }
        switch content {
        case .none:
            if method == .contentful { try output.append("Content-Length: 0\r\n") }
        case .length(let length):
            try output.append("Content-Length: ")
            try output.append(text: String(length))
            try output.append("\r\n")
        case .unknown:
            try output.append("Transfer-Encoding: chunked\r\n")
        }
        let asksHere = expectsContinue && content.hasContent && !notes.expectsContinue
        if asksHere { try output.append("Expect: 100-continue\r\n") }
        if notes.lacksUpgradeOption { try output.append("Connection: Upgrade\r\n") }
        if notes.lacksTEOption { try output.append("Connection: TE\r\n") }
        try output.append("\r\n")
        return HeadTraits(
            kind: kind(method, notes),
            asksToClose: notes.asksToClose,
            expectsContinue: asksHere || notes.expectsContinue
        )
    }

    private func kind(_ method: HTTP1Method, _ notes: HTTP1RequestNotes) -> HTTP1RequestKind {
        switch method {
        case .connect: .connect
        case .head: .head
        default: notes.hasUpgrade ? .upgrade : .ordinary
        }
    }
}
