import Airframe
import AirframeTestSupport
import Foundation
import Testing

@Suite("Samples: redirects and caching", .enabled(if: Peers.areExpected), .timeLimit(.minutes(2)))
struct RedirectSamples {
    private static var origin: String {
        get throws { try Peers.required().http("hangar") }
    }

    private static func session(
        redirectHandler: (any RedirectHandler)? = nil,
        cachedResponseHandler: (any CachedResponseHandler)? = nil
    ) -> Session {
        let configuration = URLSessionConfiguration.af.default
        configuration.transportOptions.proxy = ProxyPolicy.none
        return Session(
            configuration: configuration,
            redirectHandler: redirectHandler,
            cachedResponseHandler: cachedResponseHandler
        )
    }

    @Test("A session follows redirects, or does not, as its redirector says")
    func redirector() async throws {
        let redirector = Redirector(behavior: .follow)
        let following = Self.session(redirectHandler: redirector)
        let response = await following.request("\(try Self.origin)/redirect/3").validate().serializingData().response
        #expect(response.response?.url?.path() == "/get")
        let staying = Self.session(redirectHandler: Redirector(behavior: .doNotFollow))
        let redirect = await staying.request("\(try Self.origin)/redirect/3").serializingData().response
        #expect(redirect.response?.statusCode == 302)
    }

    @Test("A request has its own redirector, which may change where it goes")
    func modify() async throws {
        let target = try #require(URL(string: "\(try Self.origin)/get?changed=yes"))
        let redirector = Redirector(
            behavior: .modify { _, request, _ in
                var request = request
                request.url = target
                return request
            })
        let session = Self.session()
        let echo = try await session.request("\(try Self.origin)/redirect/1")
            .redirect(using: redirector).validate().serializingDecodable(Echo.self).value
        #expect(echo.args == ["changed": "yes"])
    }

    @Test("A session and a request control the caching of responses")
    func cacher() async throws {
        let cacher = ResponseCacher(behavior: .cache)
        let session = Self.session(cachedResponseHandler: cacher)
        let response = await session.request("\(try Self.origin)/get")
            .cacheResponse(using: ResponseCacher(behavior: .doNotCache))
            .serializingDecodable(Echo.self).response
        #expect(response.error == nil)
    }
}
