// swift-format-ignore-file
// Made by Tools/compatibility/generate.py from Core/UploadRequest.swift; do not edit.

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

/// The symbols of Core/UploadRequest.swift, each used as it is declared. Nothing calls this: that it compiles is the test.
enum UsesUploadRequest {
    static func use525(_: UploadRequest.Type) {}
    static func use526(_: UploadRequest.Uploadable.Type) {}
    static func use527(_ receiver: UploadRequest.Uploadable) { if case .data(_) = receiver {} }
    static func use528(_ receiver: UploadRequest.Uploadable) { if case .file(_, shouldRemove: _) = receiver {} }
    static func use529(_ receiver: UploadRequest.Uploadable) { if case .stream(_) = receiver {} }
    static func use530(_ receiver: UploadRequest) { _ = receiver.upload }
    static func use531(_ receiver: UploadRequest) { _ = receiver.fileManager }
    static func use532(_ receiver: UploadRequest) { _ = receiver.uploadable }
    static func use533(_ receiver: UploadRequest) { receiver.cleanup() }
    static func use534(_: (any UploadableConvertible).Type) {}
    static func use535<Owner_: UploadableConvertible>(_ receiver: Owner_) throws { _ = try receiver.createUploadable() }
    static func use536(_ receiver: UploadRequest.Uploadable) throws { _ = try receiver.createUploadable() }
    static func use537(_: (any UploadConvertible).Type) {}
}
