import AirframeTransport
import AsyncAlgorithms
import AsyncHTTPClient
import Foundation
import HTTPTypes
import NIOCore
import NIOFoundationCompat
import NIOHTTP1

/// An engine over AsyncHTTPClient, with bodies that are pulled both ways. It claims *exchange* and *streaming*.
///
/// A class, because the client must be shut down when its last user is gone.
final class AsyncHTTPClientTransport: Transport {
    // Checked by `accept`: what is not listed is refused by name, never ignored.
    let capabilities = TransportCapabilities(engine: "AsyncHTTPClient", features: [.http1, .tls])
    private let client: HTTPClient

    init() {
        // Redirects and content codings belong to layers above a transport.
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow, decompression: .disabled)
        configuration.httpVersion = .http1Only
        // The number of connections to a host is unlimited unless an option of the engine limits it.
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 10_000
        // A refused connection is reported immediately. Whether to try again is the session's decision.
        configuration.connectionPool.retryConnectionEstablishment = false
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    deinit { client.shutdown { _ in } }

    func shutdown() async { try? await client.shutdown() }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        var request = request.prepared(on: clock)
        try capabilities.accept(&request, on: clock)
        guard let origin = Origin(request.head) else {
            let message = "\(request.head.authority ?? "") is not an authority of a URL"
            throw TransportError(.invalidRequest, phase: .options, processing: .notSent, message: message)
        }
        // Nothing was sent yet, and the error may say so: a retry is harmless.
        guard !Task.isCancelled else { throw .cancelled(in: .options, processing: .notSent, origin: origin) }
        var upload: Upload?
        do {
            upload = try Upload(request.body)
            let message = HTTPClientRequest(request, upload)
            // Limits on time are features, and this engine claims none.
            let response = try await client.execute(message, deadline: .distantFuture)
            return TransportResponse(
                head: HTTPResponse(
                    status: .init(code: Int(response.status.code), reasonPhrase: response.status.reasonPhrase),
                    headerFields: HTTPFields(response.headers)),
                body: ResponseBody(
                    Download(response.body, for: request),
                    expectedLength: request.head.method == .head ? 0 : response.headers.length),
                connection: nil,
                answering: request)
        } catch {
            // The source of the body may hold a file open: it learns that nothing more is read.
            upload?.source.cancel()
            throw TransportError(error, in: .responseHead, for: request)
        }
    }
}

/// The rest of an exchange: a task that takes a chunk from the connection when the one before was pulled.
private final class Download: ResponseBodySource {
    private let request: TransportRequest
    private let chunks = AsyncThrowingChannel<Data, any Error>()
    private let reader: Task<Void, Never>

    init(_ body: HTTPClientResponse.Body, for request: TransportRequest) {
        self.request = request
        reader = Task { [chunks] in
            do {
                // `send` returns when the chunk was pulled. That is the backpressure.
                for try await buffer in body { await chunks.send(Data(buffer: buffer)) }
                chunks.finish()
            } catch {
                chunks.fail(error)
            }
        }
    }

    func next() async throws(TransportError) -> Data? {
        do {
            var iterator = chunks.makeAsyncIterator()
            let chunk = try await withTaskCancellationHandler {
                try await iterator.next()
            } onCancel: {
                cancel()
            }
            // The channel ends for a cancelled task, but a body that was cancelled must not look whole.
            if chunk == nil { try Task.checkCancellation() }
            return chunk
        } catch {
            throw TransportError(error, in: .responseBody, for: request)
        }
    }

    func cancel() {
        reader.cancel()
        chunks.fail(CancellationError())
    }
}
