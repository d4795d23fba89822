// swift-format-ignore-file
// Made by Tools/compatibility/generate.py from Extensions/URLSessionConfiguration+Alamofire.swift; do not edit.

import Airframe
import AirframeCore
import AirframeEncoding
import AirframeReachability
import AirframeSecurity
import AirframeSerialization
import AirframeTransport
import Dispatch
import Foundation

/// The symbols of Extensions/URLSessionConfiguration+Alamofire.swift, each used as it is declared. Nothing calls this: that it compiles is the test.
enum UsesURLSessionConfigurationAlamofire {
    static func use504<ExtendedType>(_: AlamofireExtension<ExtendedType>.Type) where ExtendedType : URLSessionConfiguration { _ = AlamofireExtension<ExtendedType>.ephemeral }
}
