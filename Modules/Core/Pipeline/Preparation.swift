internal import AirframeLayers
internal import AirframeTransport
internal import Dispatch
internal import Foundation
internal import HTTPTypes
internal import Synchronization

// From the user's convertible to the request that a transport sends.

extension Request {
    /// Creates the attempt's `URLRequest` before adaptation and validates it, on the user's request queue if one is
    /// set.
    @inline(__always)
    func makeInitialRequest() async throws(AFError) -> URLRequest {
        guard let queue = context.requestQueue else { return try recordInitial { try makeCompleteURLRequest() } }
        return try await makeInitialRequest(on: queue)
    }

    /// Replaces the `URLRequest` by the result of the session's and the request's adapters, if there are any.
    @inline(__always)
    func adapt(_ urlRequest: inout URLRequest) async throws(AFError) {
        guard !context.activeRequests.isClosed else { throw .sessionDeinitialized }
        if isAdapted { urlRequest = try await runAdapters(on: urlRequest) }
        try makeContent()
        monitors?.request(self, didCreateURLRequest: urlRequest)
        notifyHandlers(of: urlRequest)
    }

    /// Creates the `URLRequest` before adaptation, with the session's base URL and the request's values.
    func makeCompleteURLRequest() throws -> URLRequest {
        var urlRequest = try makeURLRequest()
        if let base = context.baseURL, urlRequest.url?.scheme == nil { try urlRequest.resolve(against: base.get()) }
        addValues(to: &urlRequest)
        return urlRequest
    }

    // Not inlined, as all that few attempts await: its variables would be in the frame of every attempt.
    @inline(never)
    private func makeInitialRequest(on queue: DispatchQueue) async throws(AFError) -> URLRequest {
        let made = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: Result { try self.makeCompleteURLRequest() }) }
        }
        return try recordInitial { try made.get() }
    }

    /// Records and reports the initial `URLRequest`, or the reason why it could not be made or is not valid.
    private func recordInitial(_ make: () throws -> URLRequest) throws(AFError) -> URLRequest {
        do {
            let initial = try make()
            try initial.validate()
            mutable.withLock { $0.requests.append(initial) }
            monitors?.request(self, didCreateInitialURLRequest: initial)
            return initial
        } catch {
            let failure = error.asAFError(or: .createURLRequestFailed(error: error))
            monitors?.request(self, didFailToCreateURLRequestWithError: failure)
            describeForHandler()
            throw failure
        }
    }

    private func runAdapters(on initial: URLRequest) async throws(AFError) -> URLRequest {
        guard let session else { throw .sessionDeinitialized }
        guard let adapter = adapter(of: session) else { return initial }
        do {
            let state = RequestAdapterState(requestID: id, session: session)
            let adapted = try await adapter.adapted(initial, using: state, on: context.requestQueue)
            try adapted.validate()
            mutable.withLock { $0.requests.append(adapted) }
            monitors?.request(self, didAdaptInitialRequest: initial, to: adapted)
            return adapted
        } catch {
            // The end of the request ends the wait for an adapter, which has not failed.
            guard !isEnded else {
                describeForHandler()
                throw .explicitlyCancelled
            }
            let failure = AFError.requestAdaptationFailed(error: error)
            monitors?.request(self, didFailToAdaptURLRequest: initial, withError: failure)
            describeForHandler()
            throw failure
        }
    }

    /// Returns the session's adapter followed by the request's own.
    private func adapter(of session: Session) -> (any RequestAdapter)? {
        guard let own = interceptor else { return session.interceptor }
        guard let shared = session.interceptor else { return own }
        return Interceptor(adapters: [shared, own])
    }

    private var isAdapted: Bool {
        context.isAdapting || mutable.withLock { $0.hasInterceptor }
    }

    /// Returns the transport's request for `urlRequest`.
    func transportRequest(
        for urlRequest: URLRequest,
        task: URLSessionTask,
        recorder: AttemptRecorder
    ) throws -> TransportRequest {
        if let error = context.invalidDefaultField { throw AFError.createURLRequestFailed(error: error) }
        let head = try sharedHead(for: urlRequest)
        let body = try makeBody(for: urlRequest, of: task)
        let hasBody = !body.isNone
        recorder.expectedBodyLength = body.length ?? -1
        let options = context.options(for: urlRequest)
        var request = TransportRequest(sharing: head, body: consume body, options: options, events: recorder)
        if hasBody, context.suspendsUploads {
            let gate = UploadGate()
            request.uploadGate = gate
            mutable.withLock { $0.uploadGate = gate }
            // The request may have been suspended before the gate existed.
            holdUpload()
        }
        if let updates = priorityUpdates(options) { request.priorityUpdates = updates }
        request.timelines = recorder.metrics.recorder
        if let priority = mutable.withLock({ $0.callerPriority }) {
            request.queuePriority = TaskPriority(rawValue: priority)
        }
        // Checked first, because passing the clock copies it.
        if options.deadline != nil { request.startDeadline(on: context.clock) }
        if context.hasSecurity(for: urlRequest), let security = context.security(for: head.head, of: urlRequest) {
            request.security = security
        }
        if hasHandlers || context.hasRedirectHandler || recorder.observesTasks {
            addRedirectDecision(to: &request, for: task, urlRequest, recorder)
        }
        if let credential = try layerCredential(for: urlRequest, head: head) {
            request[RequestCredential.self] = credential
        }
        let policy = context.cachePolicy(for: urlRequest)
        // Checked first, because passing the transport copies it.
        if policy != .useProtocolCachePolicy { try request.apply(policy, on: context.transport) }
        if hasHandlers || context.hasCachedResponseHandler || context.hasChosenURLCache || monitors != nil {
            addCacheDecision(to: &request, for: task)
        }
        if let context = urlRequest.cookieContext { request[CookieContext.self] = context }
        if let values = urlRequest.layerValues { request.adopt(values) }
        if let rates = context.transferRates {
            request[TransferRates.self] = rates.merging(request[TransferRates.self])
        }
        try prepare(&request)
        monitors?.request(self, willSend: &request)
        return request
    }

    /// Returns the head to send, with the session's fields. Requests for the same URL without fields of their own share
    /// one: making it takes an allocation and copies twenty strings.
    private func sharedHead(for urlRequest: URLRequest) throws -> SharedRequestHead {
        guard !adjustsHead, urlRequest.isPlain, let known = urlRequest.knownURL, known.isShared else {
            var head = try urlRequest.head()
            try adjust(&head)
            head.headerFields = context.fields(with: head.headerFields, sendsAccept: sendsAccept)
            if assumesForm(urlRequest) { head.headerFields[.contentType] = "application/x-www-form-urlencoded" }
            return SharedRequestHead(head)
        }
        return try context.plainHeads.head(of: known) {
            var head = try urlRequest.head()
            head.headerFields = context.fields(with: head.headerFields)
            return SharedRequestHead(head)
        }
    }

    /// Whether the content of `urlRequest` is sent with the type of a form because no field has its type.
    ///
    /// `URLSession` does so for the `httpBody` of a `POST`, and servers that parse forms rely on it.
    package func assumesForm(_ urlRequest: URLRequest) -> Bool {
        urlRequest.isPostWithContent && sendsHTTPBody && !urlRequest.headerFields.has(.contentType)
            && !context.defaultFields.has(.contentType) && !urlRequest.sendsUntypedContent
    }

    private func addRedirectDecision(
        to request: inout TransportRequest,
        for task: URLSessionTask,
        _ urlRequest: URLRequest,
        _ recorder: AttemptRecorder
    ) {
        if let decide = redirectDecision(for: task, template: urlRequest, recorder) {
            request[RedirectDecision.self] = decide
        }
        if let rules = currentRedirectHandler?.redirectRules {
            request[RedirectRules.Key.self] = rules
        }
    }
}
