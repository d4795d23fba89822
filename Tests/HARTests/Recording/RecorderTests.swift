import AirframeCore
import AirframeHAR
import AirframeLogging
import AirframeMock
import AirframeSerialization
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

/// A session on a mock, and a recorder that listens to it.
struct Recording {
    let workplace: ArchiveFolder
    let recorder: HARRecorder
    let session: Session

    init(
        _ mock: any Transport,
        options: HAR.RecordingOptions = HAR.RecordingOptions(),
        interceptor: (any RequestInterceptor)? = nil
    ) throws {
        workplace = try ArchiveFolder()
        recorder = try HARRecorder(file: workplace.archive, options: options)
        session = Session(transport: mock, interceptor: interceptor, eventMonitors: [recorder])
    }

    /// The archive once the recorder is closed, which has no fault by the schema.
    func log() async throws -> HAR.Log {
        try await recorder.close()
        let faults = try await Reader.faults(of: workplace.archive)
        #expect(faults.isEmpty, "\(faults)")
        return try HAR.Log(contentsOf: workplace.archive)
    }
}

@Suite("Recording a session", .enabled(if: Reader.isExpected), .timeLimit(.minutes(2)))
struct RecorderTests {
    @Test("an entry has all phases to the microsecond, sizes, version, address and connection")
    func phases() async throws {
        let reply = Reply.text("hello").delayed(by: .milliseconds(10), in: .resolve)
            .delayed(by: .milliseconds(20), in: .connect).delayed(by: .milliseconds(30), in: .tls)
            .delayed(by: .milliseconds(5), in: .requestHead).delayed(by: .milliseconds(100), in: .responseHead)
            .delayed(by: .milliseconds(40), in: .responseBody).delayed(by: .milliseconds(7), in: .pool)
        let recording = try Recording(MockTransport { Route("/a").reply(reply) })
        _ = try await recording.session.request("https://api.test/a?q=a%20b&q=2").serializingData().value
        let log = try await recording.log()
        let entry = try #require(log.entries.first)
        let timings = HAR.Timings(blocked: 7, dns: 10, connect: 50, send: 5, wait: 100, receive: 40, ssl: 30)
        #expect(entry.timings == timings)
        #expect(entry.time == 212)
        #expect(entry.startedDateTime == Date(timeIntervalSince1970: 1_767_225_600))
        #expect(entry.request.method == "GET" && entry.request.url == "https://api.test/a?q=a%20b&q=2")
        #expect(entry.request.queryString.map(\.value) == ["a b", "2"])
        #expect(entry.requestHeader("host") == "api.test")
        #expect(entry.request.httpVersion == "HTTP/1.1" && entry.response.httpVersion == "HTTP/1.1")
        #expect(entry.request.headersSize ?? 0 > 20 && entry.response.headersSize ?? 0 > 20)
        #expect(entry.request.bodySize == 0 && entry.request.postData == nil)
        #expect(entry.response.bodySize == 5)
        #expect(entry.response.content == HAR.Content(size: 5, mimeType: "text/plain; charset=utf-8", text: "hello"))
        #expect(entry.serverIPAddress == "192.0.2.1" && entry.connection == "1")
        #expect(entry.pageref == log.pages.first?.id)
        #expect(entry.custom["_tls"]?["version"] == "TLS 1.3")
        #expect(entry.custom["_attempt"] == 1)
        #expect(log.creator == HAR.Creator(name: "Airframe", version: AFInfo.version))
    }

    @Test("a reused connection has neither name resolution nor connecting")
    func reuse() async throws {
        let recording = try Recording(MockTransport { Route("/**").reply(.text("x")) })
        for _ in 0..<2 { _ = try await recording.session.request("https://api.test/").serializingData().value }
        let entries = try await recording.log().entries
        #expect(entries.map(\.connection) == ["1", "1"])
        #expect(entries.map(\.timings.dns) == [0, nil] && entries.map(\.timings.ssl) == [0, nil])
        #expect(entries.map(\.timings.connect) == [0, nil])
    }

    @Test("a redirect is a separate entry, and a dropped body is not in the next entry (RFC 9110 §15.4)")
    func redirects() async throws {
        let mock = MockTransport {
            Route(.post, "/old").reply(.redirect(to: "/new?token=s3cret", status: .seeOther))
            Route(.get, "/new").reply(.text("at last"))
        }
        let recording = try Recording(mock)
        let body = Data("payload".utf8)
        var request = URLRequest(url: try #require(URL(string: "http://api.test/old")))
        request.httpMethod = "POST"
        request.httpBody = body
        _ = try await recording.session.request(request).serializingData().value
        let entries = try await recording.log().entries
        #expect(entries.map(\.response.status) == [303, 200])
        #expect(entries.map(\.request.method) == ["POST", "GET"])
        #expect(entries[0].response.redirectURL == "/new?token=•••")
        #expect(entries[1].request.url == "http://api.test/new?token=•••")
        #expect(entries[1].request.queryString == [HAR.Header(name: "token", value: "•••")])
        #expect(entries[0].request.postData?.text == "payload" && entries[1].request.postData == nil)
        #expect(entries[0].request.bodySize == 7 && entries[1].request.bodySize == 0)
        #expect(entries.map { $0.custom["_initiator"] } == [nil, "redirect"])
        #expect(entries[0].custom["_request"] == entries[1].custom["_request"])
    }

    @Test("each attempt is an entry; a failed one has status 0 and its error")
    func attempts() async throws {
        let mock = MockTransport {
            Route("/").reply(.sequence([.fault(.connectionRefused), .status(503), .text("back")]))
        }
        let recording = try Recording(mock, interceptor: Retrier { _, _, _, completion in completion(.retry) })
        let value = try await recording.session.request("http://api.test/").validate().serializingString().value
        #expect(value == "back")
        let entries = try await recording.log().entries
        #expect(entries.map(\.response.status) == [0, 503, 200])
        #expect(entries.map { $0.custom["_attempt"] } == [1, 2, 3])
        #expect(entries.map { $0.custom["_initiator"] } == [nil, "retry", "retry"])
        #expect(entries[0].response.custom["_errorCode"] == "connectFailed")
        #expect(entries[0].response.custom["_errorPhase"] == "connect")
        #expect(entries[0].response.custom["_error"]?.string?.contains("connection refused") == true)
        #expect(entries[0].serverIPAddress == "192.0.2.1")
    }

    @Test("a retry for a serializer is an attempt, although the request had finished")
    func lateAttempt() async throws {
        let mock = MockTransport { Route("/").reply(.sequence([.text("seven"), .text("7")])) }
        let recording = try Recording(mock, interceptor: Retrier { _, _, _, completion in completion(.retry) })
        let value = try await recording.session.request("http://api.test/").serializingDecodable(Int.self).value
        #expect(value == 7)
        let entries = try await recording.log().entries
        #expect(entries.map(\.response.content.text) == ["seven", "7"])
        #expect(entries.map { $0.custom["_attempt"] } == [1, 2])
        #expect(entries.map { $0.custom["_initiator"] } == [nil, "retry"])
    }

    @Test("a cancelled request is recorded up to its end")
    func cancellation() async throws {
        let clock = VirtualClock(.manual)
        let mock = MockTransport(configuration: .init(clock: clock)) {
            Route("/").reply(.fault(.stall(in: .responseHead)))
        }
        let recording = try Recording(mock)
        let request = recording.session.request("http://api.test/")
        async let response = request.serializingData().response
        try await eventually("the request") { mock.lastRequest?.isComplete == true }
        request.cancel()
        #expect(await response.error?.isExplicitlyCancelledError == true)
        let entry = try #require(try await recording.log().entries.first)
        #expect(entry.response.status == 0)
        #expect(entry.response.custom["_errorCode"] == "cancelled")
    }

    @Test("open exchanges are recorded when the recorder is closed")
    func closing() async throws {
        let clock = VirtualClock(.manual)
        let mock = MockTransport(configuration: .init(clock: clock)) {
            Route("/slow").reply(.fault(.stall(in: .responseHead)))
            Route("/").reply(.text("x"))
        }
        let recording = try Recording(mock)
        let request = recording.session.request("http://api.test/slow")
        async let response = request.serializingData().response
        try await eventually("the request") { mock.lastRequest?.isComplete == true }
        let entry = try #require(try await recording.log().entries.first)
        #expect(entry.comment?.contains("under way") == true)
        request.cancel()
        _ = await response
        // Later events are not recorded.
        _ = try await recording.session.request("http://api.test/").serializingData().value
        #expect(try HAR.Log(contentsOf: recording.workplace.archive).entries.count == 1)
    }

    @Test("concurrent requests have separate entries")
    func concurrency() async throws {
        let mock = MockTransport {
            Route(.get, "/:n") { .chunks(["<", $0.captures["n"] ?? "", ">"].map { Data($0.utf8) }) }
        }
        let recording = try Recording(mock)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                group.addTask {
                    _ = await recording.session.request("http://api.test/\(number)").serializingData().response
                }
            }
        }
        let entries = try await recording.log().entries
        #expect(entries.count == 100)
        for entry in entries {
            let number = entry.request.url.split(separator: "/").last ?? ""
            #expect(entry.response.content.text == "<\(number)>")
        }
    }
}
