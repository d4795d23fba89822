// swift-format-ignore-file
// Made by Tools/compatibility/generate.py from Features/URLEncodedFormEncoder.swift; do not edit.

import Airframe
import AirframeCore
import AirframeEncoding
import AirframeReachability
import AirframeSecurity
import AirframeSerialization
import AirframeTransport
import Dispatch
import Foundation

/// The symbols of Features/URLEncodedFormEncoder.swift, each used as it is declared. Nothing calls this: that it compiles is the test.
enum UsesURLEncodedFormEncoder {
    static func use1063(_: URLEncodedFormEncoder.Type) {}
    static func use1064(_: URLEncodedFormEncoder.ArrayEncoding.Type) {}
    static func use1065(_ receiver: URLEncodedFormEncoder.ArrayEncoding) { if case .brackets = receiver {} }
    static func use1066(_ receiver: URLEncodedFormEncoder.ArrayEncoding) { if case .noBrackets = receiver {} }
    static func use1067(_ receiver: URLEncodedFormEncoder.ArrayEncoding) { if case .indexInBrackets = receiver {} }
    static func use1068(_ receiver: URLEncodedFormEncoder.ArrayEncoding) { if case .custom(_) = receiver {} }
    static func use1069(_: URLEncodedFormEncoder.BoolEncoding.Type) {}
    static func use1070(_ receiver: URLEncodedFormEncoder.BoolEncoding) { if case .numeric = receiver {} }
    static func use1071(_ receiver: URLEncodedFormEncoder.BoolEncoding) { if case .literal = receiver {} }
    static func use1072(_: URLEncodedFormEncoder.DataEncoding.Type) {}
    static func use1073(_ receiver: URLEncodedFormEncoder.DataEncoding) { if case .deferredToData = receiver {} }
    static func use1074(_ receiver: URLEncodedFormEncoder.DataEncoding) { if case .base64 = receiver {} }
    static func use1075(_ receiver: URLEncodedFormEncoder.DataEncoding) { if case .custom(_) = receiver {} }
    static func use1076(_: URLEncodedFormEncoder.DateEncoding.Type) {}
    static func use1077(_ receiver: URLEncodedFormEncoder.DateEncoding) { if case .deferredToDate = receiver {} }
    static func use1078(_ receiver: URLEncodedFormEncoder.DateEncoding) { if case .secondsSince1970 = receiver {} }
    static func use1079(_ receiver: URLEncodedFormEncoder.DateEncoding) { if case .millisecondsSince1970 = receiver {} }
    static func use1080(_ receiver: URLEncodedFormEncoder.DateEncoding) { if case .iso8601 = receiver {} }
    static func use1081(_ receiver: URLEncodedFormEncoder.DateEncoding) { if case .formatted(_) = receiver {} }
    static func use1082(_ receiver: URLEncodedFormEncoder.DateEncoding) { if case .custom(_) = receiver {} }
    static func use1083(_: URLEncodedFormEncoder.KeyEncoding.Type) {}
    static func use1084(_ receiver: URLEncodedFormEncoder.KeyEncoding) { if case .useDefaultKeys = receiver {} }
    static func use1085(_ receiver: URLEncodedFormEncoder.KeyEncoding) { if case .convertToSnakeCase = receiver {} }
    static func use1086(_ receiver: URLEncodedFormEncoder.KeyEncoding) { if case .convertToKebabCase = receiver {} }
    static func use1087(_ receiver: URLEncodedFormEncoder.KeyEncoding) { if case .capitalized = receiver {} }
    static func use1088(_ receiver: URLEncodedFormEncoder.KeyEncoding) { if case .uppercased = receiver {} }
    static func use1089(_ receiver: URLEncodedFormEncoder.KeyEncoding) { if case .lowercased = receiver {} }
    static func use1090(_ receiver: URLEncodedFormEncoder.KeyEncoding) { if case .custom(_) = receiver {} }
    static func use1091(_: URLEncodedFormEncoder.KeyPathEncoding.Type) {}
    static func use1092() { _ = URLEncodedFormEncoder.KeyPathEncoding.brackets }
    static func use1093() { _ = URLEncodedFormEncoder.KeyPathEncoding.dots }
    static func use1094(_ a0: @escaping @Sendable (String) -> String) { _ = URLEncodedFormEncoder.KeyPathEncoding(encoding: a0) }
    static func use1095(_: URLEncodedFormEncoder.NilEncoding.Type) {}
    static func use1096() { _ = URLEncodedFormEncoder.NilEncoding.dropKey }
    static func use1097() { _ = URLEncodedFormEncoder.NilEncoding.dropValue }
    static func use1098() { _ = URLEncodedFormEncoder.NilEncoding.null }
    static func use1099(_ a0: @escaping @Sendable () -> String?) { _ = URLEncodedFormEncoder.NilEncoding(encoding: a0) }
    static func use1100(_: URLEncodedFormEncoder.SpaceEncoding.Type) {}
    static func use1101(_ receiver: URLEncodedFormEncoder.SpaceEncoding) { if case .percentEscaped = receiver {} }
    static func use1102(_ receiver: URLEncodedFormEncoder.SpaceEncoding) { if case .plusReplaced = receiver {} }
    static func use1103(_: URLEncodedFormEncoder.Error.Type) {}
    static func use1104(_ receiver: URLEncodedFormEncoder.Error) { if case .invalidRootObject(_) = receiver {} }
    static func use1105(_ receiver: URLEncodedFormEncoder) { _ = receiver.alphabetizeKeyValuePairs }
    static func use1106(_ receiver: URLEncodedFormEncoder) { _ = receiver.arrayEncoding }
    static func use1107(_ receiver: URLEncodedFormEncoder) { _ = receiver.boolEncoding }
    static func use1108(_ receiver: URLEncodedFormEncoder) { _ = receiver.dataEncoding }
    static func use1109(_ receiver: URLEncodedFormEncoder) { _ = receiver.dateEncoding }
    static func use1110(_ receiver: URLEncodedFormEncoder) { _ = receiver.keyEncoding }
    static func use1111(_ receiver: URLEncodedFormEncoder) { _ = receiver.keyPathEncoding }
    static func use1112(_ receiver: URLEncodedFormEncoder) { _ = receiver.nilEncoding }
    static func use1113(_ receiver: URLEncodedFormEncoder) { _ = receiver.spaceEncoding }
    static func use1114(_ receiver: URLEncodedFormEncoder) { _ = receiver.allowedCharacters }
    static func use1115(_ a0: Bool, _ a1: URLEncodedFormEncoder.ArrayEncoding, _ a2: URLEncodedFormEncoder.BoolEncoding, _ a3: URLEncodedFormEncoder.DataEncoding, _ a4: URLEncodedFormEncoder.DateEncoding, _ a5: URLEncodedFormEncoder.KeyEncoding, _ a6: URLEncodedFormEncoder.KeyPathEncoding, _ a7: URLEncodedFormEncoder.NilEncoding, _ a8: URLEncodedFormEncoder.SpaceEncoding, _ a9: CharacterSet) { _ = URLEncodedFormEncoder(alphabetizeKeyValuePairs: a0, arrayEncoding: a1, boolEncoding: a2, dataEncoding: a3, dateEncoding: a4, keyEncoding: a5, keyPathEncoding: a6, nilEncoding: a7, spaceEncoding: a8, allowedCharacters: a9) }
    static func use1116() { _ = CharacterSet.afURLQueryAllowed }
}
