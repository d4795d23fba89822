internal import AirframeTransport

/// Who is in charge of an exchange whose head was delivered: a reader of its body, or nobody.
///
/// Whoever gives the exchange up while nobody is in charge ends it; while a reader is, it leaves word, and the reader does.
struct ExchangeGate {
    private enum Holder {
        case nobody
        case reader
        case over
    }

    private var holder = Holder.nobody
    /// Why the exchange is to end, or has ended.
    private(set) var interruption: TransportError?
    /// To rouse the reader.
    var socket: Socket?

    /// A reader comes.
    mutating func enter() throws(TransportError) {
        if let interruption { throw interruption }
        holder = .reader
    }

    /// The reader leaves. Returns why the exchange must end now.
    mutating func leave() -> TransportError? {
        holder = .nobody
        if let interruption { close(interruption) }
        return interruption
    }

    /// The exchange is over. The socket is let go, so that it is closed.
    mutating func close(_ error: TransportError?) {
        holder = .over
        interruption = interruption ?? error
        socket = nil
    }

    /// Somebody gives the exchange up. Returns whether they have to end it.
    mutating func interrupt(_ error: TransportError) -> (mustEnd: Bool, rouse: Socket?) {
        guard interruption == nil else { return (false, nil) }
        switch holder {
        case .nobody:
            close(error)
            return (true, nil)
        case .reader:
            interruption = error
            return (false, socket)
        case .over:
            return (false, nil)
        }
    }
}
