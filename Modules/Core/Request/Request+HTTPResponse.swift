public import Dispatch
internal import Foundation

// Handlers of the response's head, called before the body is received.

extension DataRequest {
    /// Calls `handler` with the head of the response before the body is received.
    ///
    /// - Parameters:
    ///   - queue: The queue to call the handler on.
    ///   - handler: Receives the head, and a closure to call with the disposition. Replaces an earlier handler.
    @_disfavoredOverload
    @preconcurrency
    @discardableResult
    public func onHTTPResponse(
        on queue: DispatchQueue = .main,
        perform handler:
            @escaping @Sendable (HTTPURLResponse, @escaping @Sendable (ResponseDisposition) -> Void) -> Void
    ) -> Self {
        setHTTPResponseHandler(Self.handler(on: queue, handler))
        return self
    }

    /// Calls `handler` with the head of the response before the body is received.
    ///
    /// - Parameters:
    ///   - queue: The queue to call the handler on.
    ///   - handler: Receives the head. Replaces an earlier handler.
    @preconcurrency
    @discardableResult
    public func onHTTPResponse(
        on queue: DispatchQueue = .main,
        perform handler: @escaping @Sendable (HTTPURLResponse) -> Void
    ) -> Self {
        onHTTPResponse(on: queue) { response, completion in
            handler(response)
            completion(.allow)
        }
    }

    /// Awaits `handler` with the head of the response before the body is received.
    ///
    /// - Parameter handler: Receives the head and returns the disposition. Replaces an earlier handler.
    @_disfavoredOverload
    @discardableResult
    public func onHTTPResponse(
        perform handler: @escaping @Sendable (HTTPURLResponse) async -> ResponseDisposition
    ) -> Self {
        setHTTPResponseHandler(handler)
        return self
    }

    /// Awaits `handler` with the head of the response before the body is received.
    ///
    /// - Parameter handler: Receives the head. Replaces an earlier handler.
    @discardableResult
    public func onHTTPResponse(perform handler: @escaping @Sendable (HTTPURLResponse) async -> Void) -> Self {
        setHTTPResponseHandler { response in
            await handler(response)
            return .allow
        }
        return self
    }
}

extension DataStreamRequest {
    /// Calls `handler` with the head of the response before the body is received.
    ///
    /// - Parameters:
    ///   - queue: The queue to call the handler on.
    ///   - handler: Receives the head, and a closure to call with the disposition. Replaces an earlier handler.
    @_disfavoredOverload
    @preconcurrency
    @discardableResult
    public func onHTTPResponse(
        on queue: DispatchQueue = .main,
        perform handler:
            @escaping @Sendable (HTTPURLResponse, @escaping @Sendable (ResponseDisposition) -> Void) -> Void
    ) -> Self {
        setHTTPResponseHandler(Self.handler(on: queue, handler))
        return self
    }

    /// Calls `handler` with the head of the response before the body is received.
    ///
    /// - Parameters:
    ///   - queue: The queue to call the handler on.
    ///   - handler: Receives the head. Replaces an earlier handler.
    @preconcurrency
    @discardableResult
    public func onHTTPResponse(
        on queue: DispatchQueue = .main,
        perform handler: @escaping @Sendable (HTTPURLResponse) -> Void
    ) -> Self {
        onHTTPResponse(on: queue) { response, completion in
            handler(response)
            completion(.allow)
        }
    }

    /// Awaits `handler` with the head of the response before the body is received.
    ///
    /// - Parameter handler: Receives the head and returns the disposition. Replaces an earlier handler.
    @_disfavoredOverload
    @discardableResult
    public func onHTTPResponse(
        perform handler: @escaping @Sendable (HTTPURLResponse) async -> ResponseDisposition
    ) -> Self {
        setHTTPResponseHandler(handler)
        return self
    }

    /// Awaits `handler` with the head of the response before the body is received.
    ///
    /// - Parameter handler: Receives the head. Replaces an earlier handler.
    @discardableResult
    public func onHTTPResponse(perform handler: @escaping @Sendable (HTTPURLResponse) async -> Void) -> Self {
        setHTTPResponseHandler { response in
            await handler(response)
            return .allow
        }
        return self
    }
}
