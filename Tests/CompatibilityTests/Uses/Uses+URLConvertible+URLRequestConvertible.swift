// swift-format-ignore-file
// Made by Tools/compatibility/generate.py from Core/URLConvertible+URLRequestConvertible.swift; do not edit.

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

/// The symbols of Core/URLConvertible+URLRequestConvertible.swift, each used as it is declared. Nothing calls this: that it compiles is the test.
enum UsesURLConvertibleURLRequestConvertible {
    static func use515(_: (any URLConvertible).Type) {}
    static func use516<Owner_: URLConvertible>(_ receiver: Owner_) throws { _ = try receiver.asURL() }
    static func use517(_ receiver: String) throws { _ = try receiver.asURL() }
    static func use518(_ receiver: URL) throws { _ = try receiver.asURL() }
    static func use519(_ receiver: URLComponents) throws { _ = try receiver.asURL() }
    static func use520(_: (any URLRequestConvertible).Type) {}
    static func use521<Owner_: URLRequestConvertible>(_ receiver: Owner_) throws { _ = try receiver.asURLRequest() }
    static func use522<Owner_: URLRequestConvertible>(_ receiver: Owner_) { _ = receiver.urlRequest }
    static func use523(_ receiver: URLRequest) throws { _ = try receiver.asURLRequest() }
    static func use524(_ a0: any URLConvertible, _ a1: HTTPMethod, _ a2: HTTPHeaders?) throws { _ = try URLRequest(url: a0, method: a1, headers: a2) }
}
