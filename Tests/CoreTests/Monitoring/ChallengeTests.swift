import Airframe
import AirframeMock
import AirframeTestSupport
import Foundation
import HTTPTypes
import Testing

@Suite("Challenges that monitors receive", .timeLimit(.minutes(1)))
struct ChallengeTests {
    /// Records challenges when they arrive.
    private final class Challenges: EventMonitor {
        let seen = Log<String>()
        let isCalledSynchronously = true

        func urlSession(
            _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge
        ) {
            let space = challenge.protectionSpace
            seen.append("\(space.authenticationMethod) \(space.host):\(space.port) \(challenge.previousFailureCount)")
        }
    }

    private static func mock() -> MockTransport {
        MockTransport {
            Route(.get, "/open").reply(.text("ok"))
            Route(.get, "/secret").reply(.status(401).header(.wwwAuthenticate, "Basic realm=\"r\""))
        }
    }

    @Test("one without a credential has no failure, and a rejected credential is one", arguments: [false, true])
    func failures(hasCredential: Bool) async {
        let monitor = Challenges()
        let session = kept(Session(transport: Self.mock(), configuration: .af.ephemeral, eventMonitors: [monitor]))
        let request = session.request("http://api.test/secret")
        if hasCredential { request.authenticate(username: "user", password: "wrong") }
        _ = await request.serializingData().response
        #expect(monitor.seen.values == ["Basic api.test:80 0"] + (hasCredential ? ["Basic api.test:80 1"] : []))
    }

    @Test("the trust of a server is one for each new TLS connection")
    func trust() async throws {
        let monitor = Challenges()
        let session = kept(Session(transport: Self.mock(), configuration: .af.ephemeral, eventMonitors: [monitor]))
        _ = try await session.request("https://api.test:8443/open").serializingData().value
        #expect(monitor.seen.values.contains("\(NSURLAuthenticationMethodServerTrust) api.test:8443 0"))
        let count = monitor.seen.values.count
        _ = try await session.request("http://api.test/open").serializingData().value
        #expect(monitor.seen.values.count == count)
    }

    @Test("a delegate that cancels the challenge of trust cancels the request")
    func cancelled() async {
        // `@unchecked Sendable` as its class is: it is immutable.
        final class Refusing: SessionDelegate, @unchecked Sendable {
            override func urlSession(
                _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
                completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
            ) {
                let isTrust = challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust
                completionHandler(isTrust ? .cancelAuthenticationChallenge : .performDefaultHandling, nil)
            }
        }
        let session = kept(
            Session(transport: Self.mock(), configuration: .af.ephemeral, delegate: Refusing()))
        let response = await session.request("https://api.test/open").serializingData().response
        let code = (response.error?.underlyingError as? URLError)?.code
        #expect(code == .cancelled || response.error?.isExplicitlyCancelledError == true)
    }
}
