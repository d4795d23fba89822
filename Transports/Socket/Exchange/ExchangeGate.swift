internal import AirframeTransport

/// Decides which task runs an exchange after its response head was delivered.
///
/// If a reader of the body is active, the gate records why the exchange must end, and the reader ends it. Otherwise the
/// caller that cancels the exchange ends it.
struct ExchangeGate {
    private enum Holder {
        case none
        case reader
        case over
    }

    private var holder = Holder.none
    /// Why the exchange must end, or has ended.
    private(set) var interruption: TransportError?
    /// The stream, to wake the reader.
    var stream: (any MessageStream)?

    /// Admits a reader. Returns `false` after the end of the exchange, which nothing can interrupt any more.
    mutating func enter() throws(TransportError) -> Bool {
        if let interruption { throw interruption }
        if case .over = holder { return false }
        holder = .reader
        return true
    }

    /// Notes that the reader has left. Returns the error with which it must end the exchange now.
    mutating func leave() -> TransportError? {
        holder = .none
        if let interruption { close(interruption) }
        return interruption
    }

    /// Records the end of the exchange and releases the stream.
    ///
    /// - Parameter error: Why it ended; `nil` if it is complete. It was then interrupted too late.
    mutating func close(_ error: TransportError?) {
        holder = .over
        interruption = error == nil ? nil : interruption ?? error
        stream = nil
    }

    /// Interrupts the exchange. Returns whether the caller must end it, and the stream whose reader must be woken.
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
