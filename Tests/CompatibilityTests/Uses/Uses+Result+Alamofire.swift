// swift-format-ignore-file
// Made by Tools/compatibility/generate.py from Extensions/Result+Alamofire.swift; do not edit.

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

/// The symbols of Extensions/Result+Alamofire.swift, each used as it is declared. Nothing calls this: that it compiles is the test.
enum UsesResultAlamofire {
    static func use575<Success>(_: AFResult<Success>.Type) {}
}
