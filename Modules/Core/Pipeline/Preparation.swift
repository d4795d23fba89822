internal import AirframeLayers
internal import AirframeTransport
internal import Dispatch
internal import Foundation
internal import HTTPTypes
internal import Synchronization

// From what the user asked for to what a transport sends.

extension Request {
    /// The attempt's `URLRequest`, where nobody adapts it and no queue was named to make it on; `nil` where it has to
    /// be waited for.
    func prepareAtOnce() throws(AFError) -> URLRequest? {
        guard context.requestQueue == nil, !isAdapted else { return nil }
        let initial = try noteInitial { try makeCompleteURLRequest() }
        guard !context.activeRequests.isClosed else { throw .sessionDeinitialized }
        try makeLateContent()
        record(initial)
        return initial
    }

    /// Makes the attempt's `URLRequest`: from the convertible, validated, adapted, validated again.
    func prepareURLRequest() async throws(AFError) -> URLRequest {
        let initial = try await makeInitialURLRequest()
        guard let session else { throw .sessionDeinitialized }
        guard let adapter = adapter(of: session) else {
            try makeLateContent()
            record(initial)
            return initial
        }
        let adapted = try await adapt(initial, with: adapter, for: session)
        try makeLateContent()
        record(adapted)
        return adapted
    }

    /// Makes the `URLRequest` before adaptation, with the session's base URL and the request's values.
    func makeCompleteURLRequest() throws -> URLRequest {
        var urlRequest = try makeURLRequest()
        if let base = context.baseURL, urlRequest.url?.scheme == nil { try urlRequest.resolve(against: base.get()) }
        addValues(to: &urlRequest)
        return urlRequest
    }

    private func makeInitialURLRequest() async throws(AFError) -> URLRequest {
        guard let queue = context.requestQueue else { return try noteInitial { try makeCompleteURLRequest() } }
        let made: Result<URLRequest, any Error>
        do {
            made = .success(try await on(queue) { try self.makeCompleteURLRequest() })
        } catch {
            made = .failure(error)
        }
        return try noteInitial { try made.get() }
    }

    /// Tells of the request's first form, or of why there is none.
    private func noteInitial(_ make: () throws -> URLRequest) throws(AFError) -> URLRequest {
        do {
            let initial = try make()
            mutable.withLock { $0.requests.append(initial) }
            monitors?.request(self, didCreateInitialURLRequest: initial)
            try initial.validate()
            return initial
        } catch {
            let failure = error.asAFError(or: .createURLRequestFailed(error: error))
            monitors?.request(self, didFailToCreateURLRequestWithError: failure)
            describeForHandler()
            throw failure
        }
    }

    private func adapt(
        _ initial: URLRequest,
        with adapter: any RequestAdapter,
        for session: Session
    ) async throws(AFError) -> URLRequest {
        do {
            let state = RequestAdapterState(requestID: id, session: session)
            let adapted = try await adapter.adapted(initial, using: state, on: context.requestQueue)
            mutable.withLock { $0.requests.append(adapted) }
            monitors?.request(self, didAdaptInitialRequest: initial, to: adapted)
            try adapted.validate()
            return adapted
        } catch {
            let failure = AFError.requestAdaptationFailed(error: error)
            monitors?.request(self, didFailToAdaptURLRequest: initial, withError: failure)
            describeForHandler()
            throw failure
        }
    }

    private func record(_ urlRequest: URLRequest) {
        monitors?.request(self, didCreateURLRequest: urlRequest)
        tellHandlers(of: urlRequest)
    }

    /// The session's adapter before the request's own.
    private func adapter(of session: Session) -> (any RequestAdapter)? {
        guard let own = interceptor else { return session.interceptor }
        guard let shared = session.interceptor else { return own }
        return Interceptor(adapters: [shared, own])
    }

    private var isAdapted: Bool {
        context.isAdapting || mutable.withLock { $0.hasInterceptor }
    }

    /// What the transport is to send for `urlRequest`.
    func transportRequest(
        for urlRequest: URLRequest,
        task: URLSessionTask,
        recorder: AttemptRecorder
    ) throws -> TransportRequest {
        if let error = context.invalidDefaultField { throw AFError.createURLRequestFailed(error: error) }
        var head = try urlRequest.head()
        try adjust(&head)
        head.headerFields = context.fields(with: head.headerFields)
        let body = try makeBody(for: urlRequest, of: task)
        recorder.expectedBodyLength = body.length ?? -1
        var request = TransportRequest(
            head,
            body: body,
            options: context.options(for: urlRequest),
            events: recorder
        )
        if !body.isNone, context.suspendsUploads {
            let gate = UploadGate()
            request.uploadGate = gate
            mutable.withLock { $0.uploadGate = gate }
            // The request may have been suspended before the gate was there to be closed.
            holdUpload()
        }
        if let updates = priorityUpdates(request.options) { request.priorityUpdates = updates }
        request.timelines = recorder.metrics.recorder
        if let priority = mutable.withLock({ $0.callerPriority }) { request.queuePriority = priority }
        request.startDeadline(on: context.clock)
        if let security = context.security(for: head, of: urlRequest) { request.security = security }
        if let decide = redirectDecision(for: task, template: urlRequest) { request[RedirectDecision.self] = decide }
        if let rules = (redirectHandler ?? context.redirectHandler)?.redirectRules {
            request[RedirectRules.Key.self] = rules
        }
        if let credential = try layerCredential(for: urlRequest, head: head) {
            request[RequestCredential.self] = credential
        }
        try request.apply(context.cachePolicy(for: urlRequest), on: context.transport)
        if let decide = cacheDecision(for: task) { request[CacheDecision.self] = decide }
        if let context = urlRequest.cookieContext { request[CookieContext.self] = context }
        if let values = urlRequest.layerValues { request.adopt(values) }
        if let rates = context.transferRates {
            request[TransferRates.self] = rates.merging(request[TransferRates.self])
        }
        try prepare(&request)
        monitors?.request(self, willSend: &request)
        return request
    }
}

/// Runs `work` on `queue`, or right here when there is none.
func on<Value: Sendable>(
    _ queue: DispatchQueue?,
    _ work: @escaping @Sendable () throws -> Value
) async throws -> Value {
    guard let queue else { return try work() }
    return try await withCheckedThrowingContinuation { continuation in
        queue.async { continuation.resume(with: Result { try work() }) }
    }
}
