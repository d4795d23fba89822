/// The state that outlives a request.
struct ServerState: Sendable {
    let counters = Counters()
    let written = WriteMeter()
    let log = RequestLog()
    let nonces = NonceBook()
}
