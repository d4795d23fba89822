internal import AirframeTransport

/// The number of an exchange, never given twice in a process.
typealias ExchangeID = UInt64

/// What other threads ask of the loop.
enum Command: Sendable {
    /// Begin a transfer.
    case start(Exchange)
    /// End a transfer; the caller does not want it any more.
    case cancel(ExchangeID)
    /// Go on reading: the reader made room.
    case unpause(ExchangeID)
    /// A source of a request's body has brought what it was asked for.
    case uploadReady(ExchangeID)
    /// A trust evaluation has answered.
    case trustAnswered(ExchangeID, handshake: UInt64, refusal: (any Error)?)
    /// The resolver has answered.
    case nameAnswered(NameLookup, Result<[String], any Error>)
    /// Refuse what comes, and say when what is in flight has ended.
    case shutDown(UnsafeContinuation<Void, Never>)
    /// The transport is gone: end the loop with its last transfer.
    case retire
}
