internal import AirframeTransport

/// The number of an exchange, unique in the process.
typealias ExchangeID = UInt64

/// A command of another thread to the loop.
enum Command: Sendable {
    /// Start a transfer.
    case start(Exchange)
    /// End a transfer that the caller has cancelled.
    case cancel(ExchangeID)
    /// Resume reading, because the reader has made room.
    case unpause(ExchangeID)
    /// Continue an upload, because the source of its body has delivered bytes.
    case uploadReady(ExchangeID)
    /// Take the answer of a trust evaluation.
    case trustAnswered(ExchangeID, handshake: UInt64, refusal: (any Error)?)
    /// Take the resolver's answer.
    case nameAnswered(NameLookup, Result<[String], any Error>)
    /// Reject new transfers, and resume the caller when those in flight have ended.
    case shutDown(UnsafeContinuation<Void, Never>)
    /// End the loop after its last transfer, because the transport has been released.
    case retire
}
