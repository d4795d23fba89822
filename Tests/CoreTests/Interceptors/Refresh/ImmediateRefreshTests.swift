import AirframeCore
import AirframeSerialization
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

/// An authenticator that completes before `refresh` returns, and whose credentials have expired until the last one.
private final class ImmediateAuthenticator: Authenticator {
    private let last: Int

    init(last: Int) { self.last = last }

    func apply(_ credential: Token, to urlRequest: inout URLRequest) {
        urlRequest.headers.add(.authorization(bearerToken: "\(credential.number)"))
    }

    func refresh(
        _ credential: Token,
        for session: Session,
        completion: @escaping @Sendable (Result<Token, any Error>) -> Void
    ) {
        let number = credential.number + 1
        completion(.success(Token(number, requiresRefresh: number < last)))
    }

    func didRequest(
        _ urlRequest: URLRequest,
        with response: HTTPURLResponse,
        failDueToAuthenticationError error: any Error
    ) -> Bool { false }

    func isRequest(_ urlRequest: URLRequest, authenticatedWith credential: Token) -> Bool { true }
}

@Suite("Refreshes that complete immediately", .timeLimit(.minutes(1)))
struct ImmediateRefreshTests {
    @Test("any number of them in a row fit on the stack", arguments: [1, 100_000])
    func depth(refreshes: Int) async throws {
        let interceptor = AuthenticationInterceptor(
            authenticator: ImmediateAuthenticator(last: refreshes),
            credential: Token(0, requiresRefresh: true),
            refreshWindow: nil
        )
        let transport = ClosureTransport { request in
            .text(request.head.headerFields[.authorization] ?? "", to: request)
        }
        let session = Session(transport: transport, interceptor: interceptor)
        let text = try await session.request("http://api.test/").serializingString().value
        #expect(text == "Bearer \(refreshes)")
        #expect(interceptor.credential?.number == refreshes)
    }
}
