internal import AirframeTransport

/// Decides which task runs an exchange whose head was delivered.
///
/// If a reader of the body is active, record the reason and let the reader end the exchange; otherwise the caller that
/// gives the exchange up ends it.
struct ExchangeGate {
    private enum Holder {
        case none
        case reader
        case over
    }

    private var holder = Holder.none
    /// Why the exchange is to end, or has ended.
    private(set) var interruption: TransportError?
    /// The stream, to wake the reader.
    var stream: (any MessageStream)?

    /// Lets a reader in.
    mutating func enter() throws(TransportError) {
        if let interruption { throw interruption }
        holder = .reader
    }

    /// Lets the reader out. Returns why the exchange must end now.
    mutating func leave() -> TransportError? {
        holder = .none
        if let interruption { close(interruption) }
        return interruption
    }

    /// Ends the exchange. The stream is released with it.
    mutating func close(_ error: TransportError?) {
        holder = .over
        interruption = interruption ?? error
        stream = nil
    }

    /// Gives the exchange up. Returns whether the caller has to end it, and the stream whose reader is to be woken.
    mutating func interrupt(_ error: TransportError) -> (mustEnd: Bool, rouse: (any MessageStream)?) {
        guard interruption == nil else { return (false, nil) }
        switch holder {
        case .none:
            close(error)
            return (true, nil)
        case .reader:
            interruption = error
            return (false, stream)
        case .over:
            return (false, nil)
        }
    }
}
