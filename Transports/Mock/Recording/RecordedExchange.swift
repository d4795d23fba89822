internal import AirframeHAR
internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes
internal import Synchronization

/// One exchange through a recording layer, with its events and bodies.
///
/// It buffers nothing: it pulls bytes only when it is asked for bytes.
final class RecordedExchange: TransportEventSink {
    private let transport: RecordingTransport
    private let listener: (any TransportEventSink)?
    // Guards the record of the exchange. The listener is called without it.
    private let sequence: Mutex<HAR.ExchangeSequence>

    init(_ request: TransportRequest, on transport: RecordingTransport) {
        self.transport = transport
        listener = request.events
        var sequence = HAR.ExchangeSequence(transport.options)
        sequence.requestBody = HAR.BodySample(of: request.body, limit: transport.options.requestBodyLimit)
        self.sequence = Mutex(sequence)
    }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        var request = request
        request.events = self
        request.body = watched(request.body)
        do throws(TransportError) {
            var response = try await transport.base.send(request)
            note(response, to: request.head.method)
            response.body = response.body.observed(onBytes: take) { [self] end in
                switch end {
                case .complete: self.end(nil)
                case .failed(let error): self.end(error)
                case .cancelled: giveUp()
                }
            }
            return response
        } catch {
            end(error)
            throw error
        }
    }

    func receive(_ event: TransportEvent) {
        transport.add(sequence.withLock { $0.receive(event) })
        listener?.receive(event)
    }

    // MARK: The response

    private func note(_ response: TransportResponse, to method: HTTPRequest.Method) {
        let coding = response.head.headerFields[.contentEncoding]
        let isCoded = (coding ?? "identity").lowercased() != "identity"
        sequence.withLock { sequence in
            sequence.change { record in
                record.note(response.receivedHead ?? response.head)
                if isCoded, response.receivedHead == nil, method != .head { record.remainingCoding = coding }
            }
        }
    }

    func take(_ chunk: Data) { sequence.withLock { $0.take(chunk) } }

    /// Records the end, with an error or without, unless it is recorded already.
    func end(_ failure: TransportError?) {
        let record = sequence.withLock { sequence in
            if let failure { sequence.change { $0.failure = $0.failure ?? failure } }
            return sequence.finish()
        }
        transport.add(record)
    }

    /// Records that the reader has cancelled. An exchange that the engine had ended before is not a failure.
    func giveUp() {
        let record = sequence.withLock { sequence in
            sequence.change { record in
                guard !record.isReleased, record.failure == nil else { return }
                record.failure = .cancelled(in: .responseBody, processing: .unknown)
            }
            return sequence.finish()
        }
        transport.add(record)
    }

    // MARK: The request

    /// Returns a body whose bytes are recorded when they are sent. Bytes in memory and files are recorded directly.
    private func watched(_ body: RequestBody) -> RequestBody {
        var watched = watchedContent(body)
        guard let makeTrailers = body.trailers else { return watched }
        watched.trailers = { [self] in
            let trailers = try await makeTrailers()
            sequence.withLock { sequence in sequence.change { $0.requestTrailers = trailers } }
            return trailers
        }
        return watched
    }

    private func watchedContent(_ body: RequestBody) -> RequestBody {
        guard case .stream(let stream) = body.content else { return body }
        return switch body.replay {
        case .oneShot: .oneShot(length: body.length, RecordedSource(opening: stream, for: self))
        case .restartable, .seekable:
            .restartable(length: body.length) { RecordedSource(opening: stream, for: self) }
        }
    }

    fileprivate func beginBody() {
        let sample = HAR.BodySample(limit: transport.options.requestBodyLimit)
        sequence.withLock { $0.requestBody = sample }
    }

    fileprivate func takeRequestBody(_ chunk: Data) {
        sequence.withLock { $0.requestBody?.append(chunk) }
    }
}

/// A request's body that is recorded while it is sent. It is opened when the first bytes are asked for.
private final class RecordedSource: RequestBodySource {
    private let stream: RequestBody.Stream
    private let exchange: RecordedExchange
    // Guards the source, which the reader opens and another task may cancel.
    private let opened = Mutex<(any RequestBodySource)?>(nil)

    init(opening stream: RequestBody.Stream, for exchange: RecordedExchange) {
        self.stream = stream
        self.exchange = exchange
    }

    func next() async throws -> Data? {
        let source = try source()
        let chunk = try await source.next()
        if let chunk { exchange.takeRequestBody(chunk) }
        return chunk
    }

    private func source() throws -> any RequestBodySource {
        if let source = opened.withLock({ $0 }) { return source }
        let source = try stream.makeSource()
        opened.withLock { $0 = source }
        exchange.beginBody()
        return source
    }

    func cancel() { opened.withLock { $0 }?.cancel() }
}
