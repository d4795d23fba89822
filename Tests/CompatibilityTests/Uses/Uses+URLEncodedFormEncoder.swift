// swift-format-ignore-file
// Made by Tools/compatibility/generate.py from Features/URLEncodedFormEncoder.swift; do not edit.

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

/// The symbols of Features/URLEncodedFormEncoder.swift, each used as it is declared. Nothing calls this: that it compiles is the test.
enum UsesURLEncodedFormEncoder {
    static func use1149(_: URLEncodedFormEncoder.Type) {}
    static func use1150(_: URLEncodedFormEncoder.ArrayEncoding.Type) {}
    static func use1151(_ receiver: URLEncodedFormEncoder.ArrayEncoding) { if case .brackets = receiver {} }
    static func use1152(_ receiver: URLEncodedFormEncoder.ArrayEncoding) { if case .noBrackets = receiver {} }
    static func use1153(_ receiver: URLEncodedFormEncoder.ArrayEncoding) { if case .indexInBrackets = receiver {} }
    static func use1154(_ receiver: URLEncodedFormEncoder.ArrayEncoding) { if case .custom(_) = receiver {} }
    static func use1155(_: URLEncodedFormEncoder.BoolEncoding.Type) {}
    static func use1156(_ receiver: URLEncodedFormEncoder.BoolEncoding) { if case .numeric = receiver {} }
    static func use1157(_ receiver: URLEncodedFormEncoder.BoolEncoding) { if case .literal = receiver {} }
    static func use1158(_: URLEncodedFormEncoder.DataEncoding.Type) {}
    static func use1159(_ receiver: URLEncodedFormEncoder.DataEncoding) { if case .deferredToData = receiver {} }
    static func use1160(_ receiver: URLEncodedFormEncoder.DataEncoding) { if case .base64 = receiver {} }
    static func use1161(_ receiver: URLEncodedFormEncoder.DataEncoding) { if case .custom(_) = receiver {} }
    static func use1162(_: URLEncodedFormEncoder.DateEncoding.Type) {}
    static func use1163(_ receiver: URLEncodedFormEncoder.DateEncoding) { if case .deferredToDate = receiver {} }
    static func use1164(_ receiver: URLEncodedFormEncoder.DateEncoding) { if case .secondsSince1970 = receiver {} }
    static func use1165(_ receiver: URLEncodedFormEncoder.DateEncoding) { if case .millisecondsSince1970 = receiver {} }
    static func use1166(_ receiver: URLEncodedFormEncoder.DateEncoding) { if case .iso8601 = receiver {} }
    static func use1167(_ receiver: URLEncodedFormEncoder.DateEncoding) { if case .formatted(_) = receiver {} }
    static func use1168(_ receiver: URLEncodedFormEncoder.DateEncoding) { if case .custom(_) = receiver {} }
    static func use1169(_: URLEncodedFormEncoder.KeyEncoding.Type) {}
    static func use1170(_ receiver: URLEncodedFormEncoder.KeyEncoding) { if case .useDefaultKeys = receiver {} }
    static func use1171(_ receiver: URLEncodedFormEncoder.KeyEncoding) { if case .convertToSnakeCase = receiver {} }
    static func use1172(_ receiver: URLEncodedFormEncoder.KeyEncoding) { if case .convertToKebabCase = receiver {} }
    static func use1173(_ receiver: URLEncodedFormEncoder.KeyEncoding) { if case .capitalized = receiver {} }
    static func use1174(_ receiver: URLEncodedFormEncoder.KeyEncoding) { if case .uppercased = receiver {} }
    static func use1175(_ receiver: URLEncodedFormEncoder.KeyEncoding) { if case .lowercased = receiver {} }
    static func use1176(_ receiver: URLEncodedFormEncoder.KeyEncoding) { if case .custom(_) = receiver {} }
    static func use1177(_: URLEncodedFormEncoder.KeyPathEncoding.Type) {}
    static func use1178() { _ = URLEncodedFormEncoder.KeyPathEncoding.brackets }
    static func use1179() { _ = URLEncodedFormEncoder.KeyPathEncoding.dots }
    static func use1180(_ a0: @escaping @Sendable (String) -> String) { _ = URLEncodedFormEncoder.KeyPathEncoding(encoding: a0) }
    static func use1181(_: URLEncodedFormEncoder.NilEncoding.Type) {}
    static func use1182() { _ = URLEncodedFormEncoder.NilEncoding.dropKey }
    static func use1183() { _ = URLEncodedFormEncoder.NilEncoding.dropValue }
    static func use1184() { _ = URLEncodedFormEncoder.NilEncoding.null }
    static func use1185(_ a0: @escaping @Sendable () -> String?) { _ = URLEncodedFormEncoder.NilEncoding(encoding: a0) }
    static func use1186(_: URLEncodedFormEncoder.SpaceEncoding.Type) {}
    static func use1187(_ receiver: URLEncodedFormEncoder.SpaceEncoding) { if case .percentEscaped = receiver {} }
    static func use1188(_ receiver: URLEncodedFormEncoder.SpaceEncoding) { if case .plusReplaced = receiver {} }
    static func use1189(_: URLEncodedFormEncoder.Error.Type) {}
    static func use1190(_ receiver: URLEncodedFormEncoder.Error) { if case .invalidRootObject(_) = receiver {} }
    static func use1191(_ receiver: URLEncodedFormEncoder) { _ = receiver.alphabetizeKeyValuePairs }
    static func use1192(_ receiver: URLEncodedFormEncoder) { _ = receiver.arrayEncoding }
    static func use1193(_ receiver: URLEncodedFormEncoder) { _ = receiver.boolEncoding }
    static func use1194(_ receiver: URLEncodedFormEncoder) { _ = receiver.dataEncoding }
    static func use1195(_ receiver: URLEncodedFormEncoder) { _ = receiver.dateEncoding }
    static func use1196(_ receiver: URLEncodedFormEncoder) { _ = receiver.keyEncoding }
    static func use1197(_ receiver: URLEncodedFormEncoder) { _ = receiver.keyPathEncoding }
    static func use1198(_ receiver: URLEncodedFormEncoder) { _ = receiver.nilEncoding }
    static func use1199(_ receiver: URLEncodedFormEncoder) { _ = receiver.spaceEncoding }
    static func use1200(_ receiver: URLEncodedFormEncoder) { _ = receiver.allowedCharacters }
    static func use1201(_ a0: Bool, _ a1: URLEncodedFormEncoder.ArrayEncoding, _ a2: URLEncodedFormEncoder.BoolEncoding, _ a3: URLEncodedFormEncoder.DataEncoding, _ a4: URLEncodedFormEncoder.DateEncoding, _ a5: URLEncodedFormEncoder.KeyEncoding, _ a6: URLEncodedFormEncoder.KeyPathEncoding, _ a7: URLEncodedFormEncoder.NilEncoding, _ a8: URLEncodedFormEncoder.SpaceEncoding, _ a9: CharacterSet) { _ = URLEncodedFormEncoder(alphabetizeKeyValuePairs: a0, arrayEncoding: a1, boolEncoding: a2, dataEncoding: a3, dateEncoding: a4, keyEncoding: a5, keyPathEncoding: a6, nilEncoding: a7, spaceEncoding: a8, allowedCharacters: a9) }
    static func use1202() { _ = CharacterSet.afURLQueryAllowed }
}
