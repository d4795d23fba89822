// swift-format-ignore-file
// Made by Tools/compatibility/generate.py from Extensions/URLRequest+Alamofire.swift; do not edit.

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

/// The symbols of Extensions/URLRequest+Alamofire.swift, each used as it is declared. Nothing calls this: that it compiles is the test.
enum UsesURLRequestAlamofire {
    static func use576(_ receiver: URLRequest) { _ = receiver.method }
    static func use577(_ receiver: URLRequest) throws { try receiver.validate() }
}
