// swift-format-ignore-file
// Made by Tools/compatibility/generate.py from Extensions/URLRequest+Alamofire.swift; do not edit.

import Airframe
import AirframeCore
import AirframeEncoding
import AirframeReachability
import AirframeSecurity
import AirframeSerialization
import AirframeTransport
import Dispatch
import Foundation

/// The symbols of Extensions/URLRequest+Alamofire.swift, each used as it is declared. Nothing calls this: that it compiles is the test.
enum UsesURLRequestAlamofire {
    static func use502(_ receiver: URLRequest) { _ = receiver.method }
    static func use503(_ receiver: URLRequest) throws { try receiver.validate() }
}
