// swift-format-ignore-file
// Made by Tools/compatibility/generate.py from Core/WebSocketRequest.swift; do not edit.

import Airframe
import AirframeCore
import AirframeEncoding
import AirframeReachability
import AirframeSecurity
import AirframeSerialization
import AirframeTransport
import AirframeWebSocket
import Dispatch
import Foundation

/// The symbols of Core/WebSocketRequest.swift, each used as it is declared. Nothing calls this: that it compiles is the test.
enum UsesWebSocketRequest {
    static func use538(_: WebSocketRequest.Type) {}
    static func use539<Success, Failure>(_: WebSocketRequest.Event<Success, Failure>.Type) where Success : Sendable, Failure : Error {}
    static func use540(_: WebSocketRequest.Completion.Type) {}
    static func use541(_ receiver: WebSocketRequest.Completion) { _ = receiver.request }
    static func use542(_ receiver: WebSocketRequest.Completion) { _ = receiver.response }
    static func use543(_ receiver: WebSocketRequest.Completion) { _ = receiver.metrics }
    static func use544(_ receiver: WebSocketRequest.Completion) { _ = receiver.error }
    static func use545(_: WebSocketRequest.Configuration.Type) {}
    static func use546() { _ = WebSocketRequest.Configuration.`default` }
    static func use547(_ a0: String) { _ = WebSocketRequest.Configuration.protocol(a0) }
    static func use548(_ a0: Int) { _ = WebSocketRequest.Configuration.maximumMessageSize(a0) }
    static func use549(_ a0: TimeInterval) { _ = WebSocketRequest.Configuration.pingInterval(a0) }
    static func use550(_ receiver: WebSocketRequest.Configuration) { _ = receiver.protocol }
    static func use551(_ receiver: WebSocketRequest.Configuration) { _ = receiver.maximumMessageSize }
    static func use552(_ receiver: WebSocketRequest.Configuration) { _ = receiver.pingInterval }
    static func use553(_: WebSocketRequest.PingResponse.Type) {}
    static func use554(_: WebSocketRequest.PingResponse.Pong.Type) {}
    static func use555(_ receiver: WebSocketRequest.PingResponse) { if case .pong(_) = receiver {} }
    static func use556(_ receiver: WebSocketRequest.PingResponse) { if case .error(_) = receiver {} }
    static func use557(_ receiver: WebSocketRequest.PingResponse) { if case .unsent = receiver {} }
    static func use558(_ receiver: WebSocketRequest) { _ = receiver.convertible }
    static func use559(_ receiver: WebSocketRequest) { _ = receiver.configuration }
    static func use560(_ receiver: WebSocketRequest, _ a0: URLSessionWebSocketTask.CloseCode, _ a1: Data?) { _ = receiver.close(sending: a0, reason: a1); _ = receiver.close(sending: a0) }
    static func use561(_ receiver: WebSocketRequest) { _ = receiver.cancel() }
    static func use562(_ receiver: WebSocketRequest, _ a0: DispatchQueue, _ a1: @escaping @Sendable (WebSocketRequest.PingResponse) -> Void) { receiver.sendPing(respondingOn: a0, onResponse: a1); receiver.sendPing(onResponse: a1) }
    static func use563<Serializer>(_ receiver: WebSocketRequest, _ a0: Serializer, _ a1: DispatchQueue, _ a2: @escaping @Sendable (WebSocketRequest.Event<Serializer.Output, Serializer.Failure>) -> Void) where Serializer : WebSocketMessageSerializer, Serializer.Failure == any Error { _ = receiver.streamSerializer(a0, on: a1, handler: a2); _ = receiver.streamSerializer(a0, handler: a2) }
    static func use564<Value>(_ receiver: WebSocketRequest, _ a0: Value.Type, _ a1: DispatchQueue, _ a2: any DataDecoder, _ a3: @escaping @Sendable (WebSocketRequest.Event<Value, any Error>) -> Void) where Value : Decodable, Value : Sendable { _ = receiver.streamDecodableEvents(a0, on: a1, using: a2, handler: a3); _ = receiver.streamDecodableEvents(handler: a3) }
    static func use565<Value>(_ receiver: WebSocketRequest, _ a0: Value.Type, _ a1: DispatchQueue, _ a2: any DataDecoder, _ a3: @escaping @Sendable (Value) -> Void) where Value : Decodable, Value : Sendable { _ = receiver.streamDecodable(a0, on: a1, using: a2, handler: a3); _ = receiver.streamDecodable(handler: a3) }
    static func use566(_ receiver: WebSocketRequest, _ a0: DispatchQueue, _ a1: @escaping @Sendable (WebSocketRequest.Event<URLSessionWebSocketTask.Message, Never>) -> Void) { _ = receiver.streamMessageEvents(on: a0, handler: a1); _ = receiver.streamMessageEvents(handler: a1) }
    static func use567(_ receiver: WebSocketRequest, _ a0: DispatchQueue, _ a1: @escaping @Sendable (URLSessionWebSocketTask.Message) -> Void) { _ = receiver.streamMessages(on: a0, handler: a1); _ = receiver.streamMessages(handler: a1) }
    static func use568(_ receiver: WebSocketRequest, _ a0: URLSessionWebSocketTask.Message, _ a1: DispatchQueue, _ a2: @escaping @Sendable (Result<Void, any Error>) -> Void) { receiver.send(a0, queue: a1, completionHandler: a2); receiver.send(a0, completionHandler: a2) }
    static func use569(_: (any WebSocketMessageSerializer).Type) {}
    static func use572<Owner_: WebSocketMessageSerializer>(_ receiver: Owner_, _ a0: URLSessionWebSocketTask.Message) throws { _ = try receiver.decode(a0) }
    static func use573<Value>(_ a0: Value.Type, _ a1: JSONDecoder) where Value : Decodable, Value : Sendable { _ = DecodableWebSocketMessageDecoder<Value>.json(decoding: a0, using: a1) }
    static func use574<Value>(_: DecodableWebSocketMessageDecoder<Value>.Type) where Value : Decodable, Value : Sendable {}
}
