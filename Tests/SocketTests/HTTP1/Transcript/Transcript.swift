package import AirframeSocket
internal import AirframeTransport
internal import HTTPTypes

/// The parser's results for some bytes, in a form that does not depend on the division into pieces.
package struct Transcript: Equatable, CustomStringConvertible {
    /// How the stream ends after the bytes.
    package enum End: Sendable, CaseIterable {
        /// The connection stays open.
        case open
        /// By a FIN, over TLS after `close_notify`.
        case clean
        /// By a reset, or by a FIN without `close_notify`.
        case unclean
    }

    /// Heads, bodies and ends as text, in order. The pieces of a body are joined.
    package private(set) var events: [String] = []
    /// The content of the response.
    package private(set) var body: [UInt8] = []
    /// The error, if there was one.
    package private(set) var failure: String?
    /// The number of consumed bytes.
    package private(set) var consumed = 0
    /// Whether the response is complete.
    package private(set) var isComplete = false
    /// Why the connection cannot be reused, given the remaining bytes.
    package private(set) var closeReason: HTTP1CloseReason?

    /// Feeds `bytes` to a parser.
    ///
    /// - Parameters:
    ///   - cuts: The offsets at which the bytes are divided, in order.
    ///   - others: Responses that the connection has brought before; those are left out after which it cannot be used
    ///     again.
    package init(
        of bytes: [UInt8],
        cuts: some Sequence<Int> = [],
        to kind: HTTP1RequestKind = .ordinary,
        end: End = .clean,
        limits: HTTP1Limits = HTTP1Limits(),
        after others: [[UInt8]] = []
    ) {
        var parser = HTTP1ResponseParser(limits: limits)
        for other in others where !Self.take(other, to: kind, &parser) { parser = HTTP1ResponseParser(limits: limits) }
        parser.begin(kind)
        do throws(TransportError) {
            var start = 0
            for cut in Array(cuts) + [bytes.count] where !isOver(parser) {
                try feed(Array(bytes[start..<cut]), to: &parser)
                start = cut
            }
            if !isOver(parser), end != .open {
                note(try parser.finish(cleanly: end == .clean), in: [])
            }
        } catch {
            failure = "\(error.code): \(error.phase): \(error.message)"
        }
        isComplete = parser.isComplete
        closeReason = parser.closeReason(surplus: bytes.count - consumed)
    }

    private init() {}

    /// Feeds a complete response to `parser`. Returns whether another may follow.
    private static func take(_ bytes: [UInt8], to kind: HTTP1RequestKind, _ parser: inout HTTP1ResponseParser) -> Bool {
        var transcript = Transcript()
        parser.begin(kind)
        let isTaken = (try? transcript.feed(bytes, to: &parser)) != nil
        return isTaken && parser.isComplete && parser.closeReason(surplus: bytes.count - transcript.consumed) == nil
    }

    package var description: String {
        let text = String(decoding: body.prefix(80), as: UTF8.self).debugDescription
        return (events + ["body \(body.count) \(text)", failure ?? "no failure", "consumed \(consumed)"])
            .joined(separator: "\n")
    }

    private func isOver(_ parser: HTTP1ResponseParser) -> Bool {
        parser.isComplete || parser.closeReason(surplus: 0) == .tunnel
    }

    private mutating func feed(
        _ piece: [UInt8],
        to parser: inout HTTP1ResponseParser
    ) throws(TransportError) {
        var position = 0
        while true {
            let start = position
            let event: HTTP1ResponseEvent
            do throws(TransportError) {
                event = try parser.next(in: piece.span.bytes, from: &position)
            } catch {
                // The position of an error within a piece is not defined.
                consumed = 0
                throw error
            }
            consumed += position - start
            note(event, in: piece)
            if event == .needsMore || isOver(parser) { return }
        }
    }

    private mutating func note(_ event: HTTP1ResponseEvent, in piece: [UInt8]) {
        switch event {
        case .needsMore: break
        case .informational(let response): events.append("informational \(Self.text(response))")
        case .head(let head, let byteCount, let framing):
            events.append("head \(Self.text(head.head)) \(byteCount) \(framing)")
        case .body(let range): body += piece[range]
        case .end(let trailers): events.append("end \(trailers.map(Self.text) ?? "")")
        }
    }

    private static func text(_ response: HTTPResponse) -> String {
        "\(response.status.code) \(response.status.reasonPhrase.debugDescription) \(text(response.headerFields))"
    }

    private static func text(_ fields: HTTPFields) -> String {
        fields.map { field in
            let bytes = field.withUnsafeBytesOfValue { $0.map { Character(Unicode.Scalar($0)) } }
            return "\(field.name.rawName)=\(String(bytes).debugDescription)"
        }.joined(separator: " ")
    }
}
