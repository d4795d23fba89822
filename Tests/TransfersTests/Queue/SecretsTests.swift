import AirframeCore
import AirframeTestSupport
import AirframeTransfers
import AirframeTransport
import Foundation
import HTTPTypes
import Synchronization
import Testing

@Suite("The secrets of transfers", .timeLimit(.minutes(1)))
struct SecretsTests {
    /// Provides a token, after a number of failures.
    private final class Provider: TransferSecrets {
        private struct Unreachable: Error {}

        // Guards the number of failures that are left.
        private let failures: Mutex<Int>

        init(failures: Int = 0) { self.failures = Mutex(failures) }

        func headers(for description: TransferDescription) async throws -> HTTPHeaders {
            let fails = failures.withLock { failures in
                failures -= 1
                return failures >= 0
            }
            if fails { throw Unreachable() }
            return [.authorization(bearerToken: "t"), HTTPHeader(name: "X-Id", value: "t")]
        }
    }

    /// A session whose server answers with the host and the credentials, or with 404 at `/missing`.
    private var session: Session {
        Session(
            transport: ClosureTransport { request in
                let content = "\(request.head.authority ?? "") \(request.head.headerFields[.authorization] ?? "none")"
                return TransportResponse(
                    head: HTTPResponse(status: request.head.path == "/missing" ? .notFound : .ok),
                    body: ResponseBody(Data(content.utf8)), request: request.head)
            })
    }

    @Test(
        "only the origin of the transfer's URL gets them",
        arguments: [
            ("http://a.test/f", "Bearer t"), ("http://A.test:80/f", "Bearer t"), ("http://b.test/f", "none"),
            ("http://a.test:8080/f", "none"), ("https://a.test/f", "none"),
        ])
    func origins(mirror: String, credentials: String) async throws {
        let folder = try ScratchFolder()
        let queue = try await folder.queue(on: session) { $0.secrets = Provider() }
        let url = try #require(URL(string: "http://a.test/missing"))
        let other = try #require(URL(string: mirror))
        let transfer = try await queue.finish(
            .download(from: url, to: folder.file("f")).downloading { $0.mirrors = [other] })
        #expect(transfer.state == .completed, "\(transfer.error ?? "")")
        #expect(try String(contentsOf: folder.file("f"), encoding: .utf8).hasSuffix(" " + credentials))
    }

    @Test(
        "a redirect to another origin removes them, whatever their names",
        arguments: [("http://b.test/f", "none"), ("https://a.test/f", "none"), ("/f", "t")])
    func redirects(location: String, credentials: String) async throws {
        let folder = try ScratchFolder()
        let name = try #require(HTTPField.Name("X-Id"))
        let session = Session(
            transport: ClosureTransport { request in
                let isMoved = request.head.path == "/moved"
                return TransportResponse(
                    head: HTTPResponse(
                        status: isMoved ? .found : .ok, headerFields: isMoved ? [.location: location] : [:]),
                    body: ResponseBody(Data((request.head.headerFields[name] ?? "none").utf8)), request: request.head)
            })
        let queue = try await folder.queue(on: session) { $0.secrets = Provider() }
        let url = try #require(URL(string: "http://a.test/moved"))
        let transfer = try await queue.finish(.download(from: url, to: folder.file("f")))
        #expect(transfer.state == .completed, "\(transfer.error ?? "")")
        #expect(try String(contentsOf: folder.file("f"), encoding: .utf8) == credentials)
    }

    @Test("a provider that fails is called again at the next attempt")
    func failingProvider() async throws {
        let folder = try ScratchFolder()
        let queue = try await folder.queue(on: session) { $0.secrets = Provider(failures: 2) }
        let url = try #require(URL(string: "http://a.test/f"))
        let transfer = try await queue.finish(.download(from: url, to: folder.file("f")))
        #expect(transfer.state == .completed, "\(transfer.error ?? "")")
        #expect(transfer.attempts == 3)
    }
}
