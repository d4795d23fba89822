internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes
internal import Synchronization

/// A response's content, decoded as it is pulled.
///
/// The coded body is pulled only after all received bytes have been decoded and delivered, so that backpressure works
/// as it does without a coding.
final class DecodedBody: ResponseBodySource {
    private struct DecodingState: ~Copyable {
        var decoder: ContentDecoder
        var isInputOver = false
        var total: Int64 = 0
    }

    private let coded: ResponseBody
    private let request: TransportRequest
    /// The exchange of the response.
    private let exchange: ExchangeIdentifier
    private let gate: ReleaseGate?
    private let clock: any TransportClock
    // Guards the decoder. No call out and no suspension happens while it is held.
    private let state: Mutex<DecodingState>

    init(
        _ coded: ResponseBody,
        _ decoder: consuming ContentDecoder,
        of request: TransportRequest,
        in exchange: ExchangeIdentifier,
        _ gate: ReleaseGate?,
        _ clock: any TransportClock
    ) {
        self.coded = coded
        self.request = request
        self.exchange = exchange
        self.gate = gate
        self.clock = clock
        state = Mutex(DecodingState(decoder: decoder))
    }

    func next() async throws(TransportError) -> Data? {
        while true {
            if let piece = try decodeNext() { return piece }
            guard !state.withLock({ $0.isInputOver }) else {
                gate?.open()
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
        gate?.open()
    }

    private func decodeNext() throws(TransportError) -> Data? {
        do throws(ContentCodingError) {
            let (piece, total) = try state.withLock { state throws(ContentCodingError) in
                let piece = try state.decoder.nextData()
                state.total += Int64(piece?.count ?? 0)
                return (piece, state.total)
            }
            if let piece {
                request.report(
                    .responseBodyDecoded(byteCount: Int64(piece.count), total: total), of: exchange, on: clock)
            }
            return piece
        } catch {
            let failure = TransportError(error, from: Origin(request.head))
            gate?.close()
            coded.cancel()
            request.report(.failed(failure), of: exchange, on: clock)
            throw failure
        }
    }
}
