public import AirframeCore
public import Dispatch
public import Foundation

// Handlers of streams. The server is not asked for more before a handler has returned: a slow one slows it down.

extension DataStreamRequest {
    /// Calls `stream` with each piece of the body, and at the end with how the request ended.
    ///
    /// A handler that is added while no more than 64 KiB of the body have arrived receives it from its start, so that
    /// all handlers of one chain see the same pieces.
    ///
    /// - Parameters:
    ///   - queue: Where to call it.
    ///   - stream: Gets the pieces. What it throws ends the request.
    @preconcurrency
    @discardableResult
    public func responseStream(
        on queue: DispatchQueue = .main,
        stream: @escaping Handler<Data, Never>
    ) -> Self {
        read(.passthrough, on: queue, stream)
        return self
    }

    /// Calls `stream` with what a serializer makes of each piece, and at the end with how the request ended.
    ///
    /// - Parameters:
    ///   - serializer: Makes the values.
    ///   - queue: Where to call `stream`.
    ///   - stream: Gets the values, or why there was none. What it throws ends the request.
    @preconcurrency
    @discardableResult
    public func responseStream<Serializer: DataStreamSerializer>(
        using serializer: Serializer,
        on queue: DispatchQueue = .main,
        stream: @escaping Handler<Serializer.SerializedObject, AFError>
    ) -> Self {
        read(.values(of: serializer), on: queue, stream)
        return self
    }

    /// Calls `stream` with the text of each piece, and at the end with how the request ended.
    ///
    /// The text is UTF-8. A character that lies in two pieces comes whole, with the second.
    ///
    /// - Parameters:
    ///   - queue: Where to call it.
    ///   - stream: Gets the texts. What it throws ends the request.
    @preconcurrency
    @discardableResult
    public func responseStreamString(
        on queue: DispatchQueue = .main,
        stream: @escaping Handler<String, Never>
    ) -> Self {
        read(.strings, on: queue, stream)
        return self
    }

    /// Calls `stream` with a value decoded from each piece, and at the end with how the request ended.
    ///
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - queue: Where to call `stream`.
    ///   - decoder: Decodes the values.
    ///   - preprocessor: Changes each piece before it is decoded.
    ///   - stream: Gets the values, or why there was none. What it throws ends the request.
    @preconcurrency
    @discardableResult
    public func responseStreamDecodable<T: Decodable & Sendable>(
        of type: T.Type = T.self,
        on queue: DispatchQueue = .main,
        using decoder: any DataDecoder = JSONDecoder(),
        preprocessor: any DataPreprocessor = PassthroughPreprocessor(),
        stream: @escaping Handler<T, AFError>
    ) -> Self {
        responseStream(
            using: DecodableStreamSerializer<T>(decoder: decoder, dataPreprocessor: preprocessor),
            on: queue,
            stream: stream
        )
    }
}
