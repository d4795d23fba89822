import Airframe
import AirframeConformance
import AirframeMock
import AirframeTestSupport
import Foundation
import HTTPTypes
import Testing

@Suite("Minimum rate of uploads", .timeLimit(.minutes(1)))
struct UploadRateTests {
    /// A transport that takes uploads in pieces, each after a pause, and responds with the number of bytes.
    private func transport(_ clock: VirtualClock, pausing pause: Duration, every count: Int) -> any Transport {
        ClosureTransport(clock: clock) { request throws(TransportError) in
            guard case .stream(let stream) = request.body.content else {
                throw TransportError(.invalidRequest, phase: .requestBody, processing: .unknown, message: "no stream")
            }
            var total = 0
            do {
                let source = try stream.makeSource()
                var taken = 0
                while let piece = try await source.next() {
                    total += piece.count
                    taken += piece.count
                    while taken >= count {
                        taken -= count
                        try await clock.sleep(for: pause)
                    }
                }
            } catch {
                throw .cancelled(in: .requestBody, processing: .unknown)
            }
            return TransportResponse(
                head: HTTPResponse(status: .ok), body: ResponseBody(Data("\(total)".utf8)), request: request.head)
        }
    }

    private let rates = TransferRates(minimumUpload: .init(bytesPerSecond: 1000, over: .seconds(10)))

    @Test("an upload as fast as the minimum succeeds and arrives whole")
    func fastEnough() async throws {
        let clock = VirtualClock()
        let session = kept(Session(transport: transport(clock, pausing: .seconds(1), every: 1300)))
        let upload = session.upload(
            Data(count: 40_000), to: "http://api.test/", requestModifier: { $0.transferRates = rates })
        #expect(try await upload.serializingString().value == "40000")
    }

    @Test("an upload that is slower than the minimum over a period fails with timedOut and names the rate")
    func tooSlow() async throws {
        let clock = VirtualClock()
        let session = kept(Session(transport: transport(clock, pausing: .seconds(2), every: 1250)))
        let start = clock.now
        let upload = session.upload(
            Data(count: 400_000), to: "http://api.test/", requestModifier: { $0.transferRates = rates })
        let error = try #require(await upload.serializingString().response.error?.transportError)
        #expect(error.code == .timedOut)
        #expect(error.phase == .requestBody)
        #expect(error.message.contains("1000 bytes/s"))
        #expect(error.origin?.host == "api.test")
        #expect(start.duration(to: clock.now) >= .seconds(10))
        #expect(start.duration(to: clock.now) < .seconds(30))
    }

    @Test("an upload that stalls fails when the period ends")
    func stall() async throws {
        let clock = VirtualClock()
        let session = kept(Session(transport: transport(clock, pausing: .seconds(3600), every: 1)))
        let start = clock.now
        let upload = session.upload(
            Data(count: 10), to: "http://api.test/", requestModifier: { $0.transferRates = rates })
        #expect(await upload.serializingString().response.error?.transportError?.code == .timedOut)
        #expect(start.duration(to: clock.now) >= .seconds(10))
    }

    @Test("time in which a maximum rate holds content back does not count as slow")
    func paced() async throws {
        let clock = VirtualClock()
        let session = kept(Session(transport: transport(clock, pausing: .zero, every: 1000)))
        var rates = rates
        rates.upload = 500
        let upload = session.upload(
            Data(count: 20_000), to: "http://api.test/", requestModifier: { [rates] in $0.transferRates = rates })
        #expect(try await upload.serializingString().value == "20000")
    }

    @Test("merging keeps the minimum of uploads, and values that are not positive set none")
    func merging() {
        let session = TransferRates(minimumUpload: .init(bytesPerSecond: 5, over: .seconds(1)))
        #expect(session.merging(TransferRates(upload: 1)).minimumUpload?.bytesPerSecond == 5)
        let own = TransferRates(minimumUpload: .init(bytesPerSecond: 7, over: .seconds(1)))
        #expect(session.merging(own).minimumUpload?.bytesPerSecond == 7)
    }

    @Test("a server that stops reading fails the upload", arguments: TestedEngine.allCases)
    func stalledServer(engine: TestedEngine) async throws {
        let server = try ScriptedServer { connection in
            _ = try connection.readHead()
            connection.pause(.seconds(10))
        }
        let session = engine.session {
            $0.transferRates.minimumUpload = .init(bytesPerSecond: 1000, over: .milliseconds(300))
        }
        // More than the kernel's socket buffers hold.
        let upload = session.upload(Data(count: 32 << 20), to: server.origin)
        let error = try #require(await upload.serializingData().response.error?.transportError)
        #expect(error.code == .timedOut)
        #expect(error.phase == .requestBody)
    }

    @Test("the time in which an upload is suspended does not count", arguments: TestedEngine.allCases)
    func readingServer(engine: TestedEngine) async throws {
        let server = try ScriptedServer { connection in
            while let head = try? connection.readHead() {
                #expect(head.contains("Content-Length: 3000000"))
                _ = try connection.read(3_000_000)
                try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            }
        }
        let session = engine.session {
            $0.transferRates.minimumUpload = .init(bytesPerSecond: 1000, over: .seconds(1))
        }
        let upload = session.upload(Data(count: 3_000_000), to: server.origin)
        upload.resume()
        upload.suspend()
        try await Task.sleep(for: .milliseconds(1500))
        upload.resume()
        #expect(try await upload.serializingString().value == "ok")
    }
}
