import AirframeTransport
import HTTPTypes
import Testing

/// Every way in which a value turns into text.
private func texts(of value: Any) -> [String] {
    var dumped = ""
    dump(value, to: &dumped)
    return ["\(value)", String(describing: value), String(reflecting: value), "\([value])", dumped]
}

@Suite("Secrets", .timeLimit(.minutes(1)))
struct SecretsTests {
    private let key = DER([0xDE, 0xAD, 0xBE, 0xEF])
    private let credential = Proxy.Credential(username: "pilot", password: "s3cret")

    @Test("A client identity shows the length of its chain, and never its key")
    func identity() {
        let identity = ClientIdentity(chain: [DER([1]), DER([2])], privateKey: key)
        for text in texts(of: identity) {
            #expect(!text.contains("222") && !text.contains("DEADBEEF"), "222 is the first byte of the key")
        }
        #expect("\(identity)" == "ClientIdentity (2 certificates, key hidden)")
        #expect(Mirror(reflecting: identity).children.map(\.label) == ["chain"])
    }

    @Test("A proxy's credential shows the name, and never the password")
    func proxyCredential() {
        for text in texts(of: credential) {
            #expect(!text.contains("s3cret"))
            #expect(text.contains("pilot"))
        }
        #expect("\(credential)" == "pilot:•••")
    }

    @Test("Types that contain a credential do not reveal its secrets")
    func containers() {
        let proxy = Proxy(host: "proxy.test", port: 3128, credential: credential)
        var options = TransportOptions()
        options.proxy = .proxy(proxy)
        let head = HTTPRequest(method: .get, scheme: "https", authority: "api.test", path: "/")
        let identity = ClientIdentity(chain: [], privateKey: key)
        let request = TransportRequest(head, options: options, identity: identity)
        for value in [proxy, options, request] as [Any] {
            for text in texts(of: value) {
                #expect(!text.contains("s3cret"))
                #expect(!text.contains("222"))
            }
        }
    }

    @Test("Requests, responses and events show no secret field when they are interpolated")
    func fields() {
        let secret: HTTPFields = [.authorization: "Bearer s3cret", .cookie: "s3cret", .setCookie: "s3cret"]
        let head = HTTPRequest(
            method: .get,
            scheme: "https",
            authority: "api.test",
            path: "/",
            headerFields: secret
        )
        let answer = HTTPResponse(status: .found, headerFields: secret)
        let now = MonotonicInstant(nanoseconds: 0)
        let decision = TransportDecision(.followedRedirect(answer, next: head), reason: "status 302")
        let values: [Any] = [
            TransportRequest(head), TransportResponse(head: answer, body: ResponseBody(), request: head), decision,
            TransportEvent(.started(head), of: ExchangeIdentifier(), at: now),
            TransportEvent(.responseHead(answer, byteCount: nil), of: ExchangeIdentifier(), at: now),
            TransportEvent(.decided(decision), of: ExchangeIdentifier(), at: now),
        ]
        for value in values {
            #expect(!"\(value)".contains("s3cret"))
            #expect(!String(reflecting: value).contains("s3cret"))
        }
    }
}
