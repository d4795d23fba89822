// swift-format-ignore-file
// Made by Tools/compatibility/generate.py from Alamofire.swift; do not edit.

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

/// The symbols of Alamofire.swift, each used as it is declared. Nothing calls this: that it compiles is the test.
enum UsesAlamofire {
    static func use1() { _ = AF }
    static func use2(_: AFInfo.Type) {}
    static func use3() { _ = AFInfo.version }
}
