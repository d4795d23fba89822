// swift-format-ignore-file
// Made by Tools/compatibility/generate.py from Features/CachedResponseHandler.swift; do not edit.

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

/// The symbols of Features/CachedResponseHandler.swift, each used as it is declared. Nothing calls this: that it compiles is the test.
enum UsesCachedResponseHandler {
    static func use607(_: (any CachedResponseHandler).Type) {}
    static func use608<Owner_: CachedResponseHandler>(_ receiver: Owner_, _ a0: URLSessionDataTask, _ a1: CachedURLResponse, _ a2: @escaping (CachedURLResponse?) -> Void) { receiver.dataTask(a0, willCacheResponse: a1, completion: a2) }
    static func use609(_: ResponseCacher.Type) {}
    static func use610(_: ResponseCacher.Behavior.Type) {}
    static func use611(_ receiver: ResponseCacher.Behavior) { if case .cache = receiver {} }
    static func use612(_ receiver: ResponseCacher.Behavior) { if case .doNotCache = receiver {} }
    static func use613(_ receiver: ResponseCacher.Behavior) { if case .modify(_) = receiver {} }
    static func use614() { _ = ResponseCacher.cache }
    static func use615() { _ = ResponseCacher.doNotCache }
    static func use616(_ receiver: ResponseCacher) { _ = receiver.behavior }
    static func use617(_ a0: ResponseCacher.Behavior) { _ = ResponseCacher(behavior: a0) }
    static func use618(_ receiver: ResponseCacher, _ a0: URLSessionDataTask, _ a1: CachedURLResponse, _ a2: @escaping (CachedURLResponse?) -> Void) { receiver.dataTask(a0, willCacheResponse: a1, completion: a2) }
    static func use621(_ a0: @escaping @Sendable (URLSessionDataTask, CachedURLResponse) -> CachedURLResponse?) { _ = ResponseCacher.modify(using: a0) }
}
