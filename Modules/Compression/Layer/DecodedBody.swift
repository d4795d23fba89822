internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes
internal import Synchronization

/// A response's content, freed of its codings as it is pulled.
///
/// The coded body is asked for more only when everything that it brought has been decoded and handed out, so a slow
/// reader slows the server as it does without a coding.
final class DecodedBody: ResponseBodySource {
    private struct State: ~Copyable {
        var decoder: ContentDecoder
        var isInputOver = false
        var total: Int64 = 0
    }

    private let coded: ResponseBody
    private let origin: Origin?
    private let events: ReleaseGate?
    // Guards the decoder. Nothing is awaited and nothing of others is called while it is held.
    private let state: Mutex<State>

    init(
        _ coded: ResponseBody,
        _ decoder: consuming ContentDecoder,
        _ origin: Origin?,
        _ events: ReleaseGate?
    ) {
        self.coded = coded
        self.origin = origin
        self.events = events
        state = Mutex(State(decoder: decoder))
    }

    func next() async throws(TransportError) -> Data? {
        while true {
            if let piece = try decodeNext() { return piece }
            guard !state.withLock({ $0.isInputOver }) else {
                events?.open()
                return nil
            }
            let chunk = try await coded.next()
            state.withLock { state in
                if let chunk {
                    chunk.withUnsafeBytes { state.decoder.push($0) }
                } else {
                    state.isInputOver = true
                    state.decoder.endInput()
                }
            }
        }
    }

    var trailers: HTTPFields? { coded.trailers }

    func cancel() {
        coded.cancel()
        events?.open()
    }

    private func decodeNext() throws(TransportError) -> Data? {
        do throws(ContentCodingError) {
            let (piece, total) = try state.withLock { state throws(ContentCodingError) in
                let piece = try state.decoder.nextData()
                state.total += Int64(piece?.count ?? 0)
                return (piece, state.total)
            }
            if let piece { events?.decoded(piece.count, total: total) }
            return piece
        } catch {
            let failure = TransportError(error, from: origin)
            events?.close(with: failure)
            coded.cancel()
            throw failure
        }
    }
}
