internal import HTTPTypes

/// A final head that a connection has brought more than once, and what was made of it.
///
/// A server that answers a second time within a second mostly says the very same, byte for byte. The same bytes as the answer
/// to the same kind of request mean the same: they are compared in one go, and nothing of them is read.
///
/// A class, because a copy of all that is known would count more references than it saves.
final class HTTP1KnownHead: Sendable {
    /// The head, from its status line to its empty line.
    let bytes: [UInt8]
    /// What the request was that it answered: it takes part in the framing.
    let kind: HTTP1RequestKind
    let response: HTTPResponse
    let decision: HTTP1ResponseFraming
    let minorVersion: UInt8

    init(
        _ bytes: [UInt8],
        answering kind: HTTP1RequestKind,
        response: HTTPResponse,
        decision: HTTP1ResponseFraming,
        minorVersion: UInt8
    ) {
        self.bytes = bytes
        self.kind = kind
        self.response = response
        self.decision = decision
        self.minorVersion = minorVersion
    }
}
