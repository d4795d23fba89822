// swift-format-ignore-file
// Made by Tools/compatibility/generate.py from Features/RedirectHandler.swift; do not edit.

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

/// The symbols of Features/RedirectHandler.swift, each used as it is declared. Nothing calls this: that it compiles is the test.
enum UsesRedirectHandler {
    static func use953(_: (any RedirectHandler).Type) {}
    static func use954<Owner_: RedirectHandler>(_ receiver: Owner_, _ a0: URLSessionTask, _ a1: URLRequest, _ a2: HTTPURLResponse, _ a3: @escaping (URLRequest?) -> Void) { receiver.task(a0, willBeRedirectedTo: a1, for: a2, completion: a3) }
    static func use955(_: Redirector.Type) {}
    static func use956(_: Redirector.Behavior.Type) {}
    static func use957(_ receiver: Redirector.Behavior) { if case .follow = receiver {} }
    static func use958(_ receiver: Redirector.Behavior) { if case .doNotFollow = receiver {} }
    static func use959(_ receiver: Redirector.Behavior) { if case .modify(_) = receiver {} }
    static func use960() { _ = Redirector.follow }
    static func use961() { _ = Redirector.doNotFollow }
    static func use962(_ receiver: Redirector) { _ = receiver.behavior }
    static func use963(_ a0: Redirector.Behavior) { _ = Redirector(behavior: a0) }
    static func use964(_ receiver: Redirector, _ a0: URLSessionTask, _ a1: URLRequest, _ a2: HTTPURLResponse, _ a3: @escaping (URLRequest?) -> Void) { receiver.task(a0, willBeRedirectedTo: a1, for: a2, completion: a3) }
    static func use967(_ a0: @escaping @Sendable (URLSessionTask, URLRequest, HTTPURLResponse) -> URLRequest?) { _ = Redirector.modify(using: a0) }
}
