public import Dispatch
internal import Foundation

// The head of a response, shown before any of the body is taken.

extension DataRequest {
    /// Calls `handler` with the head of the response before its body is taken.
    ///
    /// - Parameters:
    ///   - queue: Where to call it.
    ///   - handler: Gets the head, and a closure to say whether to take the body. Replaces an earlier one.
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

    /// Calls `handler` with the head of the response before its body is taken.
    ///
    /// - Parameters:
    ///   - queue: Where to call it.
    ///   - handler: Gets the head. Replaces an earlier one.
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

    /// Awaits `handler` with the head of the response before its body is taken.
    ///
    /// - Parameter handler: Gets the head and says whether to take the body. Replaces an earlier one.
    @_disfavoredOverload
    @discardableResult
    public func onHTTPResponse(
        perform handler: @escaping @Sendable (HTTPURLResponse) async -> ResponseDisposition
    ) -> Self {
        setHTTPResponseHandler(handler)
        return self
    }

    /// Awaits `handler` with the head of the response before its body is taken.
    ///
    /// - Parameter handler: Gets the head. Replaces an earlier one.
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
    /// Calls `handler` with the head of the response before its body is taken.
    ///
    /// - Parameters:
    ///   - queue: Where to call it.
    ///   - handler: Gets the head, and a closure to say whether to take the body. Replaces an earlier one.
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

    /// Calls `handler` with the head of the response before its body is taken.
    ///
    /// - Parameters:
    ///   - queue: Where to call it.
    ///   - handler: Gets the head. Replaces an earlier one.
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

    /// Awaits `handler` with the head of the response before its body is taken.
    ///
    /// - Parameter handler: Gets the head and says whether to take the body. Replaces an earlier one.
    @_disfavoredOverload
    @discardableResult
    public func onHTTPResponse(
        perform handler: @escaping @Sendable (HTTPURLResponse) async -> ResponseDisposition
    ) -> Self {
        setHTTPResponseHandler(handler)
        return self
    }

    /// Awaits `handler` with the head of the response before its body is taken.
    ///
    /// - Parameter handler: Gets the head. Replaces an earlier one.
    @discardableResult
    public func onHTTPResponse(perform handler: @escaping @Sendable (HTTPURLResponse) async -> Void) -> Self {
        setHTTPResponseHandler { response in
            await handler(response)
            return .allow
        }
        return self
    }
}
