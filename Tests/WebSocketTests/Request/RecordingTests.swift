import AirframeCore
import AirframeHAR
import AirframeLogging
import AirframeMetrics
import AirframeMock
import AirframeTransport
import AirframeWebSocket
import Foundation
import HTTPTypes
import MetricsTestKit
import Testing

@Suite("Archives and metrics", .timeLimit(.minutes(1)))
struct RecordingTests {
    private func converse(_ monitors: [any EventMonitor], data: Data = Data([1, 2, 3])) async throws {
        let mock = MockTransport { Route(.get, "/socket").reply(.webSocket(echo)) }
        let session = Session(composed: mock, eventMonitors: monitors)
        let socket = try await session.webSocket("ws://api.test/socket")
        var messages = socket.messages.makeAsyncIterator()
        try await socket.send("{\"token\":\"secret\",\"room\":1}")
        _ = try await messages.next()
        try await socket.send(data)
        _ = try await messages.next()
        await socket.close()
    }

    @Test(
        "an archive has the messages as Chrome writes them, without secrets; only when asked for",
        arguments: [10, 3, 0])
    func archive(limit: Int) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).har")
        defer { try? FileManager.default.removeItem(at: file) }
        let recorder = try HARRecorder(file: file, options: .init(webSocketMessageLimit: limit))
        try await converse([recorder])
        try await recorder.close()
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(!text.contains("secret"))
        let log = try HAR.Log(contentsOf: file)
        let entry = try #require(log.entries.first)
        #expect(entry.response.status == 101)
        guard case .array(let messages)? = entry.custom["_webSocketMessages"] else {
            #expect(limit == 0)
            return
        }
        #expect(messages.count == min(limit, 4))
        #expect(messages[0]["type"]?.string == "send" && messages[0]["opcode"]?.number == 1)
        #expect(messages[0]["data"]?.string?.contains("\"room\":1") == true)
        #expect(messages[1]["type"]?.string == "receive")
        #expect(messages[2]["data"]?.string == "AQID" && messages[2]["opcode"]?.number == 2)
    }

    @Test("an archive has binary messages that are text without their secrets")
    func binaryText() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).har")
        defer { try? FileManager.default.removeItem(at: file) }
        let recorder = try HARRecorder(file: file, options: .init(webSocketMessageLimit: 10))
        try await converse([recorder], data: Data(#"{"token":"s3cret","room":2}"#.utf8))
        try await recorder.close()
        let entry = try #require(try HAR.Log(contentsOf: file).entries.first)
        guard case .array(let messages)? = entry.custom["_webSocketMessages"] else {
            Issue.record("the archive has no messages")
            return
        }
        let texts = messages.filter { $0["opcode"]?.number == 2 }.compactMap { message in
            message["data"]?.string.flatMap { Data(base64Encoded: $0) }.map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(texts == Array(repeating: #"{"token":"•••","room":2}"#, count: 2))
    }

    @Test("messages, their bytes and close codes are counted")
    func metrics() async throws {
        let metrics = TestMetrics()
        try await converse([MetricsMonitor(factory: metrics)])
        func total(_ name: String) -> Int64 {
            metrics.counters.filter { $0.label.hasSuffix(name) }.reduce(0) { $0 + $1.totalValue }
        }
        #expect(total("websocket.messages") == 4)
        #expect(total("websocket.message.bytes") == 2 * (27 + 3))
        #expect(total("websocket.closes") == 2)
    }
}
