// swift-format-ignore-file
// Made by Tools/compatibility/generate.py from Core/HTTPMethod.swift; do not edit.

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

/// The symbols of Core/HTTPMethod.swift, each used as it is declared. Nothing calls this: that it compiles is the test.
enum UsesHTTPMethod {
    static func use247(_: HTTPMethod.Type) {}
    static func use248() { _ = HTTPMethod.connect }
    static func use249() { _ = HTTPMethod.delete }
    static func use250() { _ = HTTPMethod.get }
    static func use251() { _ = HTTPMethod.head }
    static func use252() { _ = HTTPMethod.options }
    static func use253() { _ = HTTPMethod.patch }
    static func use254() { _ = HTTPMethod.post }
    static func use255() { _ = HTTPMethod.put }
    static func use256() { _ = HTTPMethod.query }
    static func use257() { _ = HTTPMethod.trace }
    static func use258(_ receiver: HTTPMethod) { _ = receiver.rawValue }
    static func use259(_ a0: String) { _ = HTTPMethod(rawValue: a0) }
}
