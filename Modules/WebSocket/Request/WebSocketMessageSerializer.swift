public import AirframeCore
public import AirframeSerialization
public import Foundation

/// Makes values of messages.
public protocol WebSocketMessageSerializer<Output, Failure>: Sendable {
    /// The type of the values.
    associatedtype Output: Sendable
    /// The type of the errors.
    associatedtype Failure: Error = any Error

    /// Makes a value of `message`.
    ///
    /// - Throws: Why there is none.
    func decode(_ message: URLSessionWebSocketTask.Message) throws -> Output
}

extension WebSocketMessageSerializer {
    /// Decodes JSON.
    ///
    /// - Parameters:
    ///   - _: The type to decode.
    ///   - decoder: Decodes the messages.
    public static func json<Value>(
        decoding _: Value.Type = Value.self,
        using decoder: JSONDecoder = JSONDecoder()
    ) -> DecodableWebSocketMessageDecoder<Value> where Self == DecodableWebSocketMessageDecoder<Value> {
        DecodableWebSocketMessageDecoder<Value>(decoder: decoder)
    }
}

/// Decodes values from the bytes of texts and binary messages.
public struct DecodableWebSocketMessageDecoder<Value: Decodable & Sendable>: WebSocketMessageSerializer {
    /// Why a message made no value.
    public enum Error: Swift.Error {
        /// The decoder failed.
        case decoding(any Swift.Error)
        /// A message of an unknown kind. There is none.
        case unknownMessage(description: String)
    }

    /// Decodes the messages.
    public let decoder: any DataDecoder

    /// Makes a serializer.
    ///
    /// - Parameter decoder: Decodes the messages.
    public init(decoder: any DataDecoder) { self.decoder = decoder }

    /// Decodes a message.
    ///
    /// - Throws: ``Error/decoding(_:)``.
    public func decode(_ message: URLSessionWebSocketTask.Message) throws -> Value {
        do {
            return try decoder.decodeContent(Value.self, from: message.bytes)
        } catch {
            throw Error.decoding(error)
        }
    }
}

/// Passes messages on as they are.
struct PassthroughMessageSerializer: WebSocketMessageSerializer {
    func decode(_ message: URLSessionWebSocketTask.Message) throws(Never) -> URLSessionWebSocketTask.Message { message }
}
