// swift-format-ignore-file
// Made by Tools/compatibility/generate.py from Core/UploadRequest.swift; do not edit.

import Airframe
import AirframeCore
import AirframeEncoding
import AirframeReachability
import AirframeSecurity
import AirframeSerialization
import AirframeTransport
import Dispatch
import Foundation

/// The symbols of Core/UploadRequest.swift, each used as it is declared. Nothing calls this: that it compiles is the test.
enum UsesUploadRequest {
    static func use488(_: UploadRequest.Type) {}
    static func use489(_: UploadRequest.Uploadable.Type) {}
    static func use490(_ receiver: UploadRequest.Uploadable) { if case .data(_) = receiver {} }
    static func use491(_ receiver: UploadRequest.Uploadable) { if case .file(_, shouldRemove: _) = receiver {} }
    static func use492(_ receiver: UploadRequest.Uploadable) { if case .stream(_) = receiver {} }
    static func use493(_ receiver: UploadRequest) { _ = receiver.upload }
    static func use494(_ receiver: UploadRequest) { _ = receiver.fileManager }
    static func use495(_ receiver: UploadRequest) { _ = receiver.uploadable }
    static func use496(_ receiver: UploadRequest) { receiver.cleanup() }
    static func use497(_: (any UploadableConvertible).Type) {}
    static func use498<Owner_: UploadableConvertible>(_ receiver: Owner_) throws { _ = try receiver.createUploadable() }
    static func use499(_ receiver: UploadRequest.Uploadable) throws { _ = try receiver.createUploadable() }
    static func use500(_: (any UploadConvertible).Type) {}
}
