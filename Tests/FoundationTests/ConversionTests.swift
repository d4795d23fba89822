import AirframeCookies
import AirframeCore
import AirframeFoundation
import AirframeTransport
import Foundation
import FoundationNetworking
import HTTPTypes
import Testing

// Macros reject calls that a module name qualifies.
private typealias Cookie = AirframeCookies.HTTPCookie
private typealias Response = AirframeCore.HTTPURLResponse

@Suite("Conversions to and from FoundationNetworking", .timeLimit(.minutes(1)))
struct ConversionTests {
    @Test("requests keep the values of the properties that both types have")
    func requests() throws {
        let url = try #require(URL(string: "https://api.test/x?y=1#z"))
        var request = AirframeCore.URLRequest(url: url)
        request.httpMethod = "PUT"
        request.headerFields[.accept] = "text/plain"
        request.headerFields.append(HTTPField(name: .accept, value: "text/html"))
        request.httpBody = Data("body".utf8)
        request.cachePolicy = .returnCacheDataElseLoad
        request.timeoutInterval = 7
        request.networkServiceType = .background
        request.httpShouldHandleCookies = false
        request.mainDocumentURL = URL(string: "https://main.test/")
        let foundation = try #require(request.foundation)
        #expect(foundation.url == url)
        #expect(foundation.httpMethod == "PUT")
        #expect(foundation.value(forHTTPHeaderField: "accept") == "text/plain, text/html")
        #expect(foundation.httpBody == Data("body".utf8))
        #expect(foundation.cachePolicy == .returnCacheDataElseLoad)
        #expect(foundation.timeoutInterval == 7)
        let back = try #require(foundation.airframe)
        #expect(back.url == url && back.httpMethod == "PUT" && back.httpBody == Data("body".utf8))
        #expect(back.value(forHTTPHeaderField: "Accept") == "text/plain, text/html")
        #expect(back.cachePolicy == .returnCacheDataElseLoad && back.timeoutInterval == 7)
        #expect(back.networkServiceType == .background && !back.httpShouldHandleCookies)
        #expect(back.mainDocumentURL == request.mainDocumentURL)
    }

    @Test("the default timeout becomes the session's, and body streams stay streams")
    func defaults() throws {
        let url = try #require(URL(string: "https://api.test/"))
        var foundation = FoundationNetworking.URLRequest(url: url)
        let plain = try #require(foundation.airframe)
        #expect(plain == AirframeCore.URLRequest(url: url))
        foundation.httpBodyStream = InputStream(data: Data("a".utf8))
        #expect(foundation.airframe?.httpBodyStream != nil)
    }

    @Test("a session sends FoundationNetworking's requests, and their responses convert back")
    func sending() async throws {
        let transport = ClosureTransport { request in
            var head = HTTPResponse(status: .accepted)
            head.headerFields[.contentType] = request.head.headerFields[.accept]
            return TransportResponse(head: head, body: ResponseBody(), request: request.head)
        }
        var request = FoundationNetworking.URLRequest(url: try #require(URL(string: "https://api.test/x")))
        request.setValue("text/plain", forHTTPHeaderField: "Accept")
        let session = AirframeCore.Session(transport: transport)
        let sent = session.request(request)
        await withCheckedContinuation { continuation in
            sent.onHTTPResponse { (_: AirframeCore.HTTPURLResponse) in continuation.resume() }.resume()
        }
        let response = try #require(sent.response?.foundation)
        #expect(response.statusCode == 202)
        #expect(response.url?.absoluteString == "https://api.test/x")
        #expect(response.value(forHTTPHeaderField: "Content-Type") == "text/plain")
        let back = try #require(response.airframe)
        #expect(back.statusCode == 202 && back.mimeType == "text/plain")
    }

    @Test("cached responses")
    func cachedResponses() throws {
        let url = try #require(URL(string: "https://api.test/x"))
        let head = try #require(
            Response(url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: ["A": "1"]))
        let cached = AirframeCore.CachedURLResponse(
            response: head, data: Data("a".utf8), userInfo: ["k": "v"], storagePolicy: .allowedInMemoryOnly)
        let foundation = try #require(cached.foundation)
        #expect(foundation.data == Data("a".utf8))
        #expect(foundation.storagePolicy == .allowedInMemoryOnly)
        #expect(foundation.userInfo?["k"] as? String == "v")
        let back = try #require(foundation.airframe)
        #expect(back.data == Data("a".utf8) && back.storagePolicy == .allowedInMemoryOnly)
        #expect((back.response as? Response)?.value(forHTTPHeaderField: "A") == "1")
    }

    @Test("credentials")
    func credentials() throws {
        let credential = AirframeCore.URLCredential(user: "u", password: "p", persistence: .permanent)
        let foundation = try #require(credential.foundation)
        #expect(foundation.user == "u" && foundation.password == "p" && foundation.persistence == .permanent)
        #expect(foundation.airframe == credential)
    }

    @Test("cookies, for a host and for a domain", arguments: ["api.test", ".api.test"])
    func cookies(domain: String) throws {
        let expires = Date(timeIntervalSince1970: 2_000_000_000)
        let cookie = try #require(
            Cookie(
                name: "n", value: "v", domain: domain, path: "/p", expires: expires, isSecure: true, isHTTPOnly: true))
        let foundation = try #require(cookie.foundation)
        #expect(foundation.name == "n" && foundation.value == "v" && foundation.domain == domain)
        #expect(foundation.path == "/p" && foundation.isSecure && foundation.expiresDate == expires)
        let back = try #require(foundation.airframe)
        #expect(back.name == "n" && back.value == "v" && back.domain == domain && back.path == "/p")
        #expect(back.isSecure && back.expiresDate == expires)
        let session = try #require(Cookie(name: "s", value: "1", domain: domain)?.foundation)
        #expect(session.isSessionOnly)
        #expect(session.airframe?.isSessionOnly == true)
    }

    @Test("configurations")
    func configurations() {
        let configuration = AirframeCore.URLSessionConfiguration.default
        configuration.headers = ["X-A": "1"]
        configuration.timeoutIntervalForRequest = 5
        configuration.timeoutIntervalForResource = 50
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpMaximumConnectionsPerHost = 3
        configuration.httpShouldSetCookies = false
        let foundation = configuration.foundation
        #expect(foundation.httpAdditionalHeaders?["X-A"] as? String == "1")
        #expect(foundation.timeoutIntervalForRequest == 5 && foundation.timeoutIntervalForResource == 50)
        #expect(foundation.requestCachePolicy == .reloadIgnoringLocalCacheData)
        #expect(foundation.httpMaximumConnectionsPerHost == 3 && !foundation.httpShouldSetCookies)
        let back = foundation.airframe
        #expect(back.headers["X-A"] == "1" && back.timeoutIntervalForRequest == 5)
        #expect(back.timeoutIntervalForResource == 50 && back.requestCachePolicy == .reloadIgnoringLocalCacheData)
        #expect(back.httpMaximumConnectionsPerHost == 3 && !back.httpShouldSetCookies)
    }

    @Test("configurations keep the policy on cookies", arguments: [0, 1, 2] as [UInt])
    func cookiePolicies(value: UInt) {
        let configuration = AirframeCore.URLSessionConfiguration.default
        configuration.cookieAcceptPolicyValue = value
        let foundation = configuration.foundation
        #expect(foundation.httpCookieAcceptPolicy.rawValue == value)
        #expect(foundation.airframe.cookieAcceptPolicyValue == value)
    }

    @Test("only a shared storage becomes a shared one: without a storage there is none, and ephemeral ones are new")
    func storages() {
        let cookies = FoundationNetworking.HTTPCookieStorage.shared
        let cache = FoundationNetworking.URLCache.shared
        let credentials = FoundationNetworking.URLCredentialStorage.shared
        let configuration = AirframeCore.URLSessionConfiguration.default
        let shared = configuration.foundation
        #expect(shared.httpCookieStorage === cookies && shared.urlCache === cache)
        #expect(shared.urlCredentialStorage === credentials)
        let ephemeral = AirframeCore.URLSessionConfiguration.ephemeral.foundation
        #expect(ephemeral.httpCookieStorage != nil && ephemeral.httpCookieStorage !== cookies)
        #expect(ephemeral.urlCache != nil && ephemeral.urlCache !== cache)
        #expect(ephemeral.urlCredentialStorage != nil && ephemeral.urlCredentialStorage !== credentials)
        configuration.cookieStorageState = .none
        configuration.urlCacheState = .none
        configuration.urlCredentialStorage = nil
        let without = configuration.foundation
        #expect(without.httpCookieStorage == nil && without.urlCache == nil && without.urlCredentialStorage == nil)
        #expect(states(shared) == ["shared", "shared"] && states(ephemeral) == ["own", "own"])
        #expect(states(without) == ["none", "none"])
    }

    /// The states of the storages of cookies and responses after a conversion to Airframe's type.
    private func states(_ configuration: FoundationNetworking.URLSessionConfiguration) -> [String] {
        let converted = configuration.airframe
        return [converted.cookieStorageState, converted.urlCacheState].map { state in
            switch state {
            case .shared: "shared"
            case .own: "own"
            case .none: "none"
            case .object: "object"
            }
        }
    }
}
