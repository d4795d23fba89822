import Foundation
import Testing

@testable import AirframeLegacy

@Suite("Parameters of Alamofire 4", .timeLimit(.minutes(1)))
struct LegacyParameterTests {
    @Test("numbers, booleans and null keep their kinds, in lists and dictionaries too")
    func kinds() throws {
        let parameters: [String: Any] = [
            "a": NSNumber(value: 1), "b": NSNumber(value: 0), "c": NSNumber(value: true), "d": NSNull(),
            "e": [NSNumber(value: 1), NSNull()] as [Any], "f": NSNumber(value: 1.5), "g": 1, "h": true,
            "i": ["j": NSNumber(value: 1)] as [String: Any],
        ]
        let sent = parameters.sendable.mapValues { $0 as Any }
        let json = try JSONSerialization.data(withJSONObject: sent, options: .sortedKeys)
        #expect(
            String(decoding: json, as: UTF8.self)
                == #"{"a":1,"b":0,"c":true,"d":null,"e":[1,null],"f":1.5,"g":1,"h":true,"i":{"j":1}}"#)
    }
}
