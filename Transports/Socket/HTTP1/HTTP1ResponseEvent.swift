package import AirframeTransport
package import HTTPTypes

/// An event of the response parser.
package enum HTTP1ResponseEvent: Sendable, Equatable {
    /// All input is used up. Read more, or call ``HTTP1ResponseParser/finish(cleanly:)`` at the end of the stream.
    case needsMore
    /// An informational response (RFC 9110 §15.2). The final response follows.
    case informational(HTTPResponse)
    /// The final response's head, its size in bytes, and the framing of its content. After ``HTTP1Framing/tunnel`` the
    /// rest of the input is not HTTP/1.1, and the parser does not consume it.
    case head(SharedResponseHead, byteCount: Int, framing: HTTP1Framing)
    /// Content: a range of the input that was fed. Never empty.
    case body(Range<Int>)
    /// The end of the response, with the trailer fields (RFC 9110 §6.5), if any.
    case end(trailers: HTTPFields?)
}

/// How the content of a message is delimited (RFC 9112 §6.3).
package enum HTTP1Framing: Sendable, Equatable {
    /// There is no content.
    case none
    /// The content has this length in bytes, above 0.
    case length(Int64)
    /// The content is chunked.
    case chunked
    /// The content ends with the connection.
    case untilClose
    /// There is no content: the connection becomes a tunnel or switches to another protocol.
    case tunnel
}

/// The property of a request that determines how its response is read.
package enum HTTP1RequestKind: Sendable, Hashable {
    /// Any other request.
    case ordinary
    /// `HEAD`: the response has no content, regardless of its fields.
    case head
    /// `CONNECT`: a 2xx response opens a tunnel.
    case connect
    /// A request with an `Upgrade` field: `101` switches protocols. Without the field, `101` is an error.
    case upgrade
}

/// Why a connection cannot carry another exchange.
package enum HTTP1CloseReason: String, Sendable, Hashable {
    /// The response has not been read to its end.
    case unfinished = "the response was not read to its end"
    /// The exchange failed.
    case failed = "the exchange failed"
    /// The request had `Connection: close`.
    case askedByClient = "the request said Connection: close"
    /// The response had `Connection: close`.
    case askedByServer = "the server said Connection: close"
    /// HTTP/1.0 without `Connection: keep-alive`.
    case oldVersion = "the server speaks HTTP/1.0 and did not offer to keep the connection"
    /// The content ended with the connection.
    case untilClose = "the end of the connection ended the content"
    /// HTTP/1.0 with `Transfer-Encoding` (RFC 9112 §6.1).
    case faultyFraming = "the server used Transfer-Encoding in HTTP/1.0"
    /// Bytes came after the end of the response.
    case surplus = "the server sent more than the response"
    /// The connection is a tunnel or speaks another protocol.
    case tunnel = "the connection left HTTP/1.1"
}
