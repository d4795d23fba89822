internal import AirframeTransport

/// The exchanges of a request.
struct ExchangeFolds: Sendable {
    /// The open exchanges in the order of their starts: at most one, unless the request is hedged.
    private(set) var open: [ExchangeFold] = []
    /// The exchange that ended last; the one that succeeded, if the request was hedged.
    private(set) var last: ExchangeFold?

    /// The open exchange, or the last one.
    var current: ExchangeFold? { open.last ?? last }

    /// Whether the end of an exchange will decide about the request.
    var isOpen: Bool { open.contains { !$0.isOvertaken } }

    /// Returns an open exchange.
    func fold(of exchange: ExchangeIdentifier) -> ExchangeFold? { index(of: exchange).map { open[$0] } }

    private func index(of exchange: ExchangeIdentifier) -> Int? {
        open.firstIndex { $0.timeline.exchange == exchange }
    }

    /// Adds an exchange.
    ///
    /// - Returns: The exchange of the same number, whose end was not reported.
    mutating func begin(_ new: ExchangeFold) -> ExchangeFold? {
        let unfinished = index(of: new.timeline.exchange).map { open.remove(at: $0) }
        open.append(new)
        return unfinished
    }

    /// Adds the next event of an exchange to its fold, in place.
    ///
    /// - Returns: The exchange and its measurements; `nil` if there are none.
    mutating func note(_ event: TransportEvent) -> (ExchangeFold, [Measurement])? {
        guard let index = index(of: event.exchange) else { return nil }
        let measurements = open[index].note(event)
        return measurements.isEmpty ? nil : (open[index], measurements)
    }

    /// Ends an exchange.
    ///
    /// - Returns: The exchange and its last measurements; `nil` if it had ended.
    mutating func end(with event: TransportEvent, error: TransportError?) -> (ExchangeFold, [Measurement])? {
        guard let index = index(of: event.exchange) else {
            // A layer failed after a successful exchange.
            guard !isOpen, let error, var fold = last, fold.error == nil else { return nil }
            fold.error = error
            last = fold
            return (fold, [])
        }
        var fold = open.remove(at: index)
        fold.error = error
        if !fold.isOvertaken { last = fold }
        if error == nil { for index in open.indices { open[index].isOvertaken = true } }
        return (fold, fold.end(at: event.instant))
    }
}
