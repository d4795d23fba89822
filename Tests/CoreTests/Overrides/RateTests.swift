import Airframe
import AirframeConformance
import AirframeMock
import AirframeTestSupport
import Foundation
import HTTPTypes
import Testing

@Suite("Rates of transfer", .timeLimit(.minutes(1)))
struct RateTests {
    /// Content that arrives in chunks, each after a pause.
    private final class Trickle: ResponseBodySource {
        private let pieces: Int
        private let size: Int
        private let pause: Duration
        private let clock: any TransportClock
        private let given = Log<Int>()

        init(_ pieces: Int, of size: Int, every pause: Duration, on clock: any TransportClock) {
            (self.pieces, self.size, self.pause, self.clock) = (pieces, size, pause, clock)
        }

        func next() async throws(TransportError) -> Data? {
            guard given.values.count < pieces else { return nil }
            given.append(size)
            do {
                if pause > .zero { try await clock.sleep(for: pause) }
            } catch {
                throw .cancelled(in: .responseBody, processing: .unknown)
            }
            return Data(count: size)
        }

        func cancel() {}
    }

    private func session(_ clock: VirtualClock, pieces: Int, of size: Int, every pause: Duration = .zero) -> Session {
        Session(
            transport: ClosureTransport(clock: clock) { request in
                TransportResponse(
                    head: HTTPResponse(status: .ok),
                    body: ResponseBody(Trickle(pieces, of: size, every: pause, on: clock)), request: request.head)
            })
    }

    @Test("a response takes as long as its rate demands")
    func download() async throws {
        let clock = VirtualClock()
        let session = session(clock, pieces: 4, of: 25_000)
        let start = clock.now
        let request = session.request("http://api.test/") { $0.transferRates.download = 10_000 }
        let data = try await request.serializingData().value
        #expect(data.count == 100_000)
        #expect(start.duration(to: clock.now) == .seconds(10))
    }

    @Test("a request's content takes as long as its rate demands, and arrives whole")
    func upload() async throws {
        let clock = VirtualClock()
        let received = Log<Data>()
        let transport = ClosureTransport(clock: clock) { request throws(TransportError) in
            guard case .stream(let stream) = request.body.content else {
                throw TransportError(.invalidRequest, phase: .requestBody, processing: .unknown, message: "no stream")
            }
            var content = Data()
            do {
                let source = try stream.makeSource()
                while let piece = try await source.next() { content += piece }
            } catch {
                throw TransportError(.bodyFailed, phase: .requestBody, processing: .unknown, message: "\(error)")
            }
            received.append(content)
            return TransportResponse(
                head: HTTPResponse(status: .ok), body: ResponseBody(Data("ok".utf8)), request: request.head)
        }
        let content = Data((0..<50_000).map { UInt8(truncatingIfNeeded: $0) })
        let start = clock.now
        _ = try await kept(Session(transport: transport))
            .upload(content, to: "http://api.test/", requestModifier: { $0.transferRates.upload = 10_000 })
            .serializingString().value
        #expect(received.values == [content])
        #expect(start.duration(to: clock.now) == .seconds(5))
    }

    @Test("a response slower than the minimum fails, one as fast as the minimum succeeds")
    func minimum() async throws {
        let rates = TransferRates(minimum: .init(bytesPerSecond: 100, over: .seconds(10)))
        let clock = VirtualClock()
        let fast = session(clock, pieces: 30, of: 120, every: .seconds(1))
        let data = try await fast.request("http://api.test/", requestModifier: { $0.transferRates = rates })
            .serializingData().value
        #expect(data.count == 3600)
        let slow = session(clock, pieces: 30, of: 99, every: .seconds(1))
        let error = await slow.request("http://api.test/", requestModifier: { $0.transferRates = rates })
            .serializingData().response.error
        #expect(error?.transportError?.code == .timedOut)
        #expect(error?.transportError?.message.contains("100 bytes/s") == true)
        #expect(error?.transportError?.origin?.host == "api.test")
    }

    @Test("a response that stalls fails when the period ends")
    func stall() async throws {
        let clock = VirtualClock()
        let session = session(clock, pieces: 2, of: 100, every: .seconds(3600))
        let start = clock.now
        let rates = TransferRates(minimum: .init(bytesPerSecond: 1, over: .seconds(30)))
        let error = await session.request("http://api.test/", requestModifier: { $0.transferRates = rates })
            .serializingData().response.error
        #expect(error?.transportError?.code == .timedOut)
        #expect(start.duration(to: clock.now) >= .seconds(30))
    }

    @Test("a session's rates apply to requests without their own, and values that are not positive set no limit")
    func session() async throws {
        let clock = VirtualClock()
        let configuration = URLSessionConfiguration.af.ephemeral
        configuration.transferRates = TransferRates(download: 1000)
        let session = Session(
            transport: ClosureTransport(clock: clock) { request in
                TransportResponse(
                    head: HTTPResponse(status: .ok), body: ResponseBody(Data(count: 5000)), request: request.head)
            }, configuration: configuration)
        let start = clock.now
        _ = try await session.request("http://api.test/").serializingData().value
        #expect(start.duration(to: clock.now) == .seconds(5))
        _ = try await session.request("http://api.test/", requestModifier: { $0.transferRates.download = 0 })
            .serializingData().value
        #expect(start.duration(to: clock.now) == .seconds(5))
    }

    @Test("content arrives whole over the wire", arguments: TestedEngine.allCases)
    func wire(engine: TestedEngine) async throws {
        let server = try ScriptedServer { connection in
            while let head = try? connection.readHead() {
                #expect(head.contains("Content-Length: 30000"))
                let body = try connection.read(30_000)
                try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 30000\r\n\r\n")
                try connection.send(body)
            }
        }
        let minimum = TransferRates.Minimum(bytesPerSecond: 1, over: .seconds(20))
        let rates = TransferRates(upload: 1_000_000, download: 1_000_000, minimum: minimum)
        let session = engine.session { $0.transferRates = rates }
        let content = Data((0..<30_000).map { UInt8(truncatingIfNeeded: $0) })
        let start = ContinuousClock.now
        #expect(try await session.upload(content, to: server.origin).serializingData().value == content)
        #expect(start.duration(to: .now) >= .milliseconds(55))
    }
}
