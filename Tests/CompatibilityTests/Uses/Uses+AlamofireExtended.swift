// swift-format-ignore-file
// Made by Tools/compatibility/generate.py from Features/AlamofireExtended.swift; do not edit.

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

/// The symbols of Features/AlamofireExtended.swift, each used as it is declared. Nothing calls this: that it compiles is the test.
enum UsesAlamofireExtended {
    static func use578<ExtendedType>(_: AlamofireExtension<ExtendedType>.Type) {}
    static func use579<ExtendedType>(_ receiver: AlamofireExtension<ExtendedType>) { _ = receiver.type }
    static func use580<ExtendedType>(_ a0: ExtendedType, _: AlamofireExtension<ExtendedType>.Type) { _ = AlamofireExtension<ExtendedType>(a0) }
    static func use581(_: (any AlamofireExtended).Type) {}
    static func use583<Owner_: AlamofireExtended>(_: Owner_.Type) { _ = Owner_.af }
    static func use584<Owner_: AlamofireExtended>(_ receiver: Owner_) { _ = receiver.af }
}
