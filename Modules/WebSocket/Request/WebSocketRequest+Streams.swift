public import AirframeCore
public import AirframeSerialization
public import Dispatch
public import Foundation

// Handlers. The next message is read when a handler has returned, so that a slow handler slows the server down.

extension WebSocketRequest {
    /// Calls `handler` with each event; `serializer` converts the messages.
    ///
    /// - Parameters:
    ///   - serializer: Converts the messages.
    ///   - queue: The queue for `handler`.
    ///   - handler: Receives the events.
    @preconcurrency
    @discardableResult
    public func streamSerializer<Serializer>(
        _ serializer: Serializer,
        on queue: DispatchQueue = .main,
        handler: @escaping @Sendable (_ event: Event<Serializer.Output, Serializer.Failure>) -> Void
    ) -> Self where Serializer: WebSocketMessageSerializer, Serializer.Failure == any Error {
        stream(.detached, Self.serializing(serializer), Self.calling(handler, on: queue))
        return self
    }

    /// Calls `handler` with each event; messages decoded.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - queue: The queue for `handler`.
    ///   - decoder: The decoder for messages.
    ///   - handler: Receives the events.
    @preconcurrency
    @discardableResult
    public func streamDecodableEvents<Value>(
        _ type: Value.Type = Value.self,
        on queue: DispatchQueue = .main,
        using decoder: any DataDecoder = JSONDecoder(),
        handler: @escaping @Sendable (_ event: Event<Value, any Error>) -> Void
    ) -> Self where Value: Decodable & Sendable {
        streamSerializer(DecodableWebSocketMessageDecoder<Value>(decoder: decoder), on: queue, handler: handler)
    }

    /// Calls `handler` with each message, decoded. Messages that cannot be decoded are dropped.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - queue: The queue for `handler`.
    ///   - decoder: The decoder for messages.
    ///   - handler: Receives the values.
    @preconcurrency
    @discardableResult
    public func streamDecodable<Value>(
        _ type: Value.Type = Value.self,
        on queue: DispatchQueue = .main,
        using decoder: any DataDecoder = JSONDecoder(),
        handler: @escaping @Sendable (_ value: Value) -> Void
    ) -> Self where Value: Decodable & Sendable {
        streamDecodableEvents(type, on: queue, using: decoder) { event in
            if let value = event.message { handler(value) }
        }
    }

    /// Calls `handler` with each event.
    ///
    /// - Parameters:
    ///   - queue: The queue for `handler`.
    ///   - handler: Receives the events.
    @preconcurrency
    @discardableResult
    public func streamMessageEvents(
        on queue: DispatchQueue = .main,
        handler: @escaping @Sendable (_ event: Event<URLSessionWebSocketTask.Message, Never>) -> Void
    ) -> Self {
        stream(.detached, Self.passing, Self.calling(handler, on: queue))
        return self
    }

    /// Calls `handler` with each message.
    ///
    /// - Parameters:
    ///   - queue: The queue for `handler`.
    ///   - handler: Receives the messages.
    @preconcurrency
    @discardableResult
    public func streamMessages(
        on queue: DispatchQueue = .main,
        handler: @escaping @Sendable (_ message: URLSessionWebSocketTask.Message) -> Void
    ) -> Self {
        streamMessageEvents(on: queue) { event in
            if let message = event.message { handler(message) }
        }
    }
}

extension WebSocketRequest {
    typealias Convert<Success: Sendable, Failure: Error> =
        @Sendable (WebSocketRequest, URLSessionWebSocketTask.Message) async -> Event<Success, Failure>.Kind

    static func serializing<Serializer: WebSocketMessageSerializer>(
        _ serializer: Serializer
    ) -> Convert<Serializer.Output, any Error> {
        { request, message in
            let decode = { @Sendable () -> Event<Serializer.Output, any Error>.Kind in
                do {
                    return .receivedMessage(try serializer.decode(message))
                } catch {
                    return .serializerFailed(error)
                }
            }
            guard let queue = request.namedSerializationQueue else { return decode() }
            return await withCheckedContinuation { continuation in
                queue.async { continuation.resume(returning: decode()) }
            }
        }
    }

    static var passing: Convert<URLSessionWebSocketTask.Message, Never> {
        { _, message in .receivedMessage(message) }
    }

    private static func calling<Success: Sendable, Failure: Error>(
        _ handler: @escaping @Sendable (Event<Success, Failure>) -> Void,
        on queue: DispatchQueue
    ) -> @Sendable (Event<Success, Failure>) async -> Void {
        { event in
            await withCheckedContinuation { continuation in
                queue.async {
                    handler(event)
                    continuation.resume()
                }
            }
        }
    }

    /// Adds a handler, and starts the request if it starts automatically.
    ///
    /// - Parameters:
    ///   - start: The isolation on which the request starts, if this call starts it.
    ///   - convert: Converts messages.
    ///   - deliver: Receives the events; the request's completion is the last.
    func stream<Success: Sendable, Failure: Error>(
        _ start: PipelineStart,
        _ convert: @escaping Convert<Success, Failure>,
        _ deliver: @escaping @Sendable (Event<Success, Failure>) async -> Void
    ) {
        conversation?.add { [weak self] happening in
            guard let self else { return }
            switch happening {
            case .connected(let name): await deliver(Event(self, .connected(protocol: name)))
            case .message(let message): await deliver(Event(self, await convert(self, message)))
            case .disconnected(let code, let reason):
                await deliver(Event(self, .disconnected(closeCode: code, reason: reason)))
            }
        }
        append(
            ResponseStep { [self] in
                let end = Event<Success, Failure>(self, .completed(completion))
                return .over(.deliver { Task { await deliver(end) } })
            },
            start
        )
    }
}
