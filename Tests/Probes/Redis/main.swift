import AirframeCache
import AirframeCore
import AirframeLayers
import AirframeRedis
import AirframeSerialization
import AirframeTransport
import Foundation
import HTTPTypes

// A process of a fleet that shares its state in Redis.
//
//     redis-probe cache URL PREFIX           sends a request through a cache, and prints where the response came from
//     redis-probe refresh URL PREFIX FILE    sends a request with token 0, which the server refuses; each refresh adds
//                                            a line to FILE

struct Token: AuthenticationCredential, Codable, Sendable {
    let number: Int
    var requiresRefresh: Bool { false }
}

final class TokenAuthenticator: Authenticator {
    private let file: String

    init(file: String) { self.file = file }

    func apply(_ credential: Token, to urlRequest: inout URLRequest) {
        urlRequest.headers.add(.authorization(bearerToken: "\(credential.number)"))
    }

    func refresh(
        _ credential: Token,
        for session: Session,
        completion: @escaping @Sendable (Result<Token, any Error>) -> Void
    ) {
        let file = file
        Task {
            // As long as a token endpoint may take, so that the other processes come meanwhile.
            try? await Task.sleep(for: .milliseconds(300))
            let descriptor = open(file, O_WRONLY | O_APPEND | O_CREAT, 0o600)
            _ = write(descriptor, "r\n", 2)
            close(descriptor)
            completion(.success(Token(number: credential.number + 1)))
        }
    }

    func didRequest(
        _ urlRequest: URLRequest,
        with response: HTTPURLResponse,
        failDueToAuthenticationError error: any Error
    ) -> Bool {
        response.statusCode == 401
    }

    func isRequest(_ urlRequest: URLRequest, authenticatedWith credential: Token) -> Bool {
        urlRequest.headers["Authorization"] == "Bearer \(credential.number)"
    }
}

let arguments = CommandLine.arguments
guard arguments.count >= 4, arguments[1] == "cache" || arguments.count == 5 else {
    print("redis-probe: cache URL PREFIX, or refresh URL PREFIX FILE")
    exit(64)
}
var configuration = try RedisClient.Configuration(url: arguments[2])
// Ten of these processes start together, on a machine that may be busy.
configuration.connectTimeout = .seconds(10)
configuration.commandTimeout = .seconds(10)
let client = RedisClient(configuration)
if arguments[1] == "cache" {
    let origin = ClosureTransport { request in
        var head = HTTPResponse(status: .ok)
        head.headerFields[.cacheControl] = "max-age=600"
        return TransportResponse(
            head: head, body: ResponseBody(Data("from \(getpid())".utf8)), request: request.head)
    }
    let cache = CacheLayer(origin, store: RedisCacheStore(client, prefix: arguments[3]))
    let request = TransportRequest(HTTPRequest(method: .get, scheme: "http", authority: "api.test", path: "/a"))
    let response = try await cache.send(request)
    let text = String(decoding: try await response.body.collect(upTo: 100), as: UTF8.self)
    print("\(response.source) \(text)")
} else {
    let server = ClosureTransport { request in
        let isAccepted = request.head.headerFields[.authorization] == "Bearer 1"
        return TransportResponse(
            head: HTTPResponse(status: isAccepted ? .ok : .unauthorized), body: ResponseBody(Data("welcome".utf8)),
            request: request.head)
    }
    let interceptor = AuthenticationInterceptor(
        authenticator: TokenAuthenticator(file: arguments[4]), credential: Token(number: 0),
        coordinator: RedisRefreshCoordinator<Token>(client, prefix: arguments[3]))
    let session = Session(transport: server, interceptor: interceptor)
    print(try await session.request("http://api.test/").validate().serializingString().value)
}
