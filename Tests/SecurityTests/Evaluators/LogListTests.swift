import AirframeSecurity
import AirframeTransport
import Foundation
import Testing

@Suite("Lists of certificate transparency logs", .timeLimit(.minutes(1)))
struct LogListTests {
    private static func key(_ name: String) throws -> PublicKey {
        try PublicKey(pem: String(decoding: PKI.made().data("\(name).pub.pem"), as: UTF8.self))
    }

    private static func entry(_ name: String, _ key: PublicKey, _ state: String = "usable") -> String {
        """
        {"description": "\(name)", "key": "\(Data(key.der.bytes).base64EncodedString())",
         "state": {"\(state)": {"timestamp": "2025-01-01T00:00:00Z"}}}
        """
    }

    @Test("static logs count as others do")
    func tiled() throws {
        let (first, second) = (try Self.key("log-a"), try Self.key("log-b"))
        let json = """
            {"operators": [
              {"name": "one", "logs": [\(Self.entry("a", first))],
               "tiled_logs": [\(Self.entry("b", second)), \(Self.entry("c", second, "rejected"))]},
              {"name": "two", "logs": [\(Self.entry("d", second, "retired"))]}
            ]}
            """
        let logs = try TransparencyLogList(json: Data(json.utf8)).logs
        #expect(logs.map(\.name) == ["a", "b", "d"])
        #expect(logs.map { $0.operator } == ["one", "one", "two"])
        #expect(logs.map(\.key.pin) == [first.pin, second.pin, second.pin])
        #expect(logs.map { $0.retiredAt == nil } == [true, true, false])
    }
}
