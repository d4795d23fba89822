import AirframeLegacy
import AirframeMock
import AirframeTestSupport
import Foundation
import HTTPTypes
import Testing

@Suite("The start of requests of Alamofire 4", .timeLimit(.minutes(1)))
struct LegacyStartTests {
    /// A configuration whose requests are answered by `engine`.
    fileprivate static func configuration(_ engine: MockTransport) -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.af.ephemeral
        configuration.layers.insert(above: .redirects) { _ in engine }
        return configuration
    }

    fileprivate static func engine() -> MockTransport {
        MockTransport {
            Route("/missing").reply(.status(404))
            Route("/**").reply(.text("ok"))
        }
    }

    @Test("requests, uploads and downloads are sent without a handler")
    func withoutHandlers() async throws { try await (WithoutHandlers() as any Sample).run() }

    private struct WithoutHandlers: Sample {
        @available(*, deprecated)
        func run() async throws {
            let engine = engine()
            let manager = SessionManager(configuration: configuration(engine))
            #expect(manager.startRequestsImmediately)
            let fileURL = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            defer { try? FileManager.default.removeItem(at: fileURL) }
            manager.request("http://api.test/data")
            manager.upload(Data("content".utf8), to: "http://api.test/upload")
            manager.upload(InputStream(data: Data("content".utf8)), to: "http://api.test/stream")
            let download = manager.download("http://api.test/file", to: { _, _ in (fileURL, []) })
            manager.upload(
                multipartFormData: { $0.append(Data("Ada".utf8), withName: "name") },
                to: "http://api.test/form",
                queue: .global(),
                encodingCompletion: nil
            )
            try await eventually("the requests") { engine.requests.count == 5 }
            try await eventually("the end of the download") { download.isFinished }
            #expect(try Data(contentsOf: fileURL) == Data("ok".utf8))
            withExtendedLifetime(manager) {}
        }
    }

    @Test("a validation that follows in the chain applies")
    func validation() async throws { try await (Validation() as any Sample).run() }

    private struct Validation: Sample {
        @available(*, deprecated)
        func run() async throws {
            let manager = SessionManager(configuration: configuration(engine()))
            let request = manager.request("http://api.test/missing").validate()
            try await eventually("the end of the request") { request.isFinished }
            #expect(request.error?.isResponseValidationError == true)
            withExtendedLifetime(manager) {}
        }
    }

    @Test("a request that is suspended or cancelled when it is made does not start")
    func stopped() async throws { try await (Stopped() as any Sample).run() }

    private struct Stopped: Sample {
        @available(*, deprecated)
        func run() async throws {
            let engine = engine()
            let manager = SessionManager(configuration: configuration(engine))
            let suspended = manager.request("http://api.test/suspended").suspend()
            let cancelled = manager.request("http://api.test/cancelled").cancel()
            // Starts last.
            manager.request("http://api.test/started")
            try await eventually("the last request") { !engine.requests.isEmpty }
            #expect(engine.requests.map(\.head.path) == ["/started"])
            #expect(suspended.isSuspended && cancelled.isCancelled)
            suspended.resume()
            try await eventually("the resumed request") { engine.requests.count == 2 }
            withExtendedLifetime(manager) {}
        }
    }

    @Test("a manager that does not start requests waits for resume(), also with a handler")
    func notImmediately() async throws { try await (NotImmediately() as any Sample).run() }

    private struct NotImmediately: Sample {
        @available(*, deprecated)
        func run() async throws {
            let engine = engine()
            let manager = SessionManager(configuration: configuration(engine))
            manager.startRequestsImmediately = false
            let request = manager.request("http://api.test/resumed").response { (_: AFDataResponse<Data?>) in }
            #expect(request.isInitialized)
            manager.startRequestsImmediately = true
            manager.request("http://api.test/started")
            try await eventually("the started request") { !engine.requests.isEmpty }
            #expect(engine.requests.map(\.head.path) == ["/started"])
            request.resume()
            try await eventually("the resumed request") { engine.requests.count == 2 }
            withExtendedLifetime(manager) {}
        }
    }
}

extension Sample {
    fileprivate func engine() -> MockTransport { LegacyStartTests.engine() }

    fileprivate func configuration(_ engine: MockTransport) -> URLSessionConfiguration {
        LegacyStartTests.configuration(engine)
    }
}
