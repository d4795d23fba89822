internal import AirframeTransport
public import Foundation
internal import Synchronization

/// A request whose response is collected in memory.
///
/// `@unchecked Sendable` because Request is: the properties added here are immutable or behind their own lock.
public class DataRequest: Request, @unchecked Sendable {
    /// The source of the `URLRequest`.
    public let convertible: any URLRequestConvertible

    // Guards the bytes received so far.
    private let received = Mutex<Data?>(nil)

    init(
        convertible: any URLRequestConvertible,
        session: Session,
        interceptor: (any RequestInterceptor)?,
        shouldAutomaticallyResume: Bool?
    ) {
        self.convertible = convertible
        super.init(
            session: session,
            interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume
        )
    }

    /// The bytes of the response's body received so far; `nil` before the first.
    public var data: Data? { received.withLock { $0 } }

    /// The parts of the response to the last attempt.
    package struct ResponseParts: Sendable {
        package let request: URLRequest?
        package let response: HTTPURLResponse?
        package let data: Data?
        package let metrics: URLSessionTaskMetrics?
        package let error: AFError?
    }

    /// Reads the parts of the response together: one by one they take nine locks.
    package var responseParts: ResponseParts {
        let (request, task, metrics, hasFailed) = mutable.withLock {
            ($0.requests.last, $0.tasks.last, $0.metrics.last, $0.error != nil)
        }
        return ResponseParts(
            request: request,
            response: task?.response,
            data: data,
            metrics: metrics,
            error: hasFailed ? error : nil
        )
    }

    override func makeURLRequest() throws -> URLRequest { try convertible.asURLRequest() }

    override func takeBufferedBody(of response: TransportResponse, for task: URLSessionTask) -> Bool {
        guard !showsResponse else { return false }
        if let limit = context.bufferLimits.limit(for: response), !limit.admits(response.body) { return false }
        return pullBuffered(response.body, for: task, take)
    }

    override func receiveBody(of response: TransportResponse, for task: URLSessionTask) async throws(AFError) {
        if showsResponse { try await show(task) }
        let limit = context.bufferLimits.limit(for: response)
        let url = task.response?.url ?? task.currentRequest?.url
        if let limit, let announced = response.body.expectedLength, announced > limit.size {
            response.body.cancel()
            throw limit.failure(announced: announced, url: url)
        }
        var total = received.withLock { Int64($0?.count ?? 0) }
        try await pull(response.body, for: task, from: total) { chunk throws(AFError) in
            total += Int64(chunk.count)
            if let limit, total > limit.size {
                response.body.cancel()
                throw limit.failure(url: url)
            }
            take(chunk)
        }
    }

    private func take(_ chunk: Data) {
        received.withLock { if $0?.append(chunk) == nil { $0 = chunk } }
    }

    override func validateByDefault() {
        if !isAcceptableAtSight { judge(by: Self.defaultValidations) }
    }

    /// Whether the default validations accept the response and no monitor is notified of them. Running them takes 500
    /// instructions more.
    private var isAcceptableAtSight: Bool {
        let task = mutable.withLock { state in
            state.monitor == nil && state.requests.last?.isPlain == true ? state.tasks.last : nil
        }
        return task?.hasSuccessfulResponse == true
    }

    override func reset() {
        super.reset()
        received.withLock { $0 = nil }
    }
}
