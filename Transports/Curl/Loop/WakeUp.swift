internal import AirframeTransport

/// An action that is performed after a turn, outside it: a task is resumed, or something is requested.
enum WakeUp {
    case resume(Exchange.Waiter)
    /// The source of a request's body is called for its next bytes.
    case pull(StreamPump)
    /// The upload is suspended. libcurl is to continue when its gate opens.
    case hold(UploadGate, ExchangeID)
    /// A trust evaluation is started.
    case ask(TrustQuestion)
    /// A name is looked up.
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
