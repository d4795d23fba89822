// swift-format-ignore-file
// Made by Tools/compatibility/generate.py from Core/HTTPMethod.swift; do not edit.

import Airframe
import AirframeCore
import AirframeEncoding
import AirframeReachability
import AirframeSecurity
import AirframeSerialization
import AirframeTransport
import Dispatch
import Foundation

/// The symbols of Core/HTTPMethod.swift, each used as it is declared. Nothing calls this: that it compiles is the test.
enum UsesHTTPMethod {
    static func use245(_: HTTPMethod.Type) {}
    static func use246() { _ = HTTPMethod.connect }
    static func use247() { _ = HTTPMethod.delete }
    static func use248() { _ = HTTPMethod.get }
    static func use249() { _ = HTTPMethod.head }
    static func use250() { _ = HTTPMethod.options }
    static func use251() { _ = HTTPMethod.patch }
    static func use252() { _ = HTTPMethod.post }
    static func use253() { _ = HTTPMethod.put }
    static func use254() { _ = HTTPMethod.query }
    static func use255() { _ = HTTPMethod.trace }
    static func use256(_ receiver: HTTPMethod) { _ = receiver.rawValue }
    static func use257(_ a0: String) { _ = HTTPMethod(rawValue: a0) }
}
