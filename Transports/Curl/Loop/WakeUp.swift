internal import AirframeTransport

/// What is to be done when a turn is over, outside of it: somebody who waits is woken, somebody is asked.
enum WakeUp {
    case resume(Exchange.Waiter)
    /// A source of a request's body is asked for its next bytes.
    case pull(StreamPump)
    /// The body's sending is held: libcurl is to ask again when it is not any more.
    case hold(UploadGate, ExchangeID)
    /// A trust evaluation is asked for its answer.
    case ask(TrustQuestion)
    /// The resolver is asked for a name.
    case lookUp(NameLookup)

    func perform(_ loop: EventLoop) {
        switch self {
        case .resume(let waiter): waiter.resume()
        case .pull(let pump): pump.pull(loop)
        case .hold(let gate, let id):
            let mayGoOn = gate.pass { [weak loop] in loop?.submit(.uploadReady(id)) }
            if mayGoOn { loop.submit(.uploadReady(id)) }
        case .ask(let question): question.ask(loop)
        case .lookUp(let lookup): lookup.start(loop.resolver, loop)
        }
    }
}

extension [WakeUp] {
    func perform(_ loop: EventLoop) {
        for wakeUp in self { wakeUp.perform(loop) }
    }
}
