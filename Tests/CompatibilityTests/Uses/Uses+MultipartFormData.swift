// swift-format-ignore-file
// Made by Tools/compatibility/generate.py from Features/MultipartFormData.swift; do not edit.

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

/// The symbols of Features/MultipartFormData.swift, each used as it is declared. Nothing calls this: that it compiles is the test.
enum UsesMultipartFormData {
    static func use909(_: MultipartFormData.Type) {}
    static func use910() { _ = MultipartFormData.encodingMemoryThreshold }
    static func use911(_ receiver: MultipartFormData) { _ = receiver.contentType }
    static func use912(_ receiver: MultipartFormData) { _ = receiver.contentLength }
    static func use913(_ receiver: MultipartFormData) { _ = receiver.boundary }
    static func use914(_ a0: FileManager, _ a1: String?) { _ = MultipartFormData(fileManager: a0, boundary: a1) }
    static func use915(_ receiver: MultipartFormData, _ a0: Data, _ a1: String, _ a2: String?, _ a3: String?) { receiver.append(a0, withName: a1, fileName: a2, mimeType: a3); receiver.append(a0, withName: a1) }
    static func use916(_ receiver: MultipartFormData, _ a0: URL, _ a1: String) { receiver.append(a0, withName: a1) }
    static func use917(_ receiver: MultipartFormData, _ a0: URL, _ a1: String, _ a2: String, _ a3: String) { receiver.append(a0, withName: a1, fileName: a2, mimeType: a3) }
    static func use918(_ receiver: MultipartFormData, _ a0: InputStream, _ a1: UInt64, _ a2: String, _ a3: String, _ a4: String) { receiver.append(a0, withLength: a1, name: a2, fileName: a3, mimeType: a4) }
    static func use919(_ receiver: MultipartFormData, _ a0: InputStream, _ a1: UInt64, _ a2: HTTPHeaders) { receiver.append(a0, withLength: a1, headers: a2) }
    static func use920(_ receiver: MultipartFormData) throws { _ = try receiver.encode() }
    static func use921(_ receiver: MultipartFormData, _ a0: URL) throws { try receiver.writeEncodedData(to: a0) }
}
