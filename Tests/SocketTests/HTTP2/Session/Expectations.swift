import AirframeTransport
import HTTPTypes
import Testing

@testable import AirframeSocket

@Suite("expectations over HTTP/2", .timeLimit(.minutes(1)))
struct Expectations {
    @Test(
        "only 100-continue delays the content, as over HTTP/1.1 (RFC 9110 §10.1.1)",
        arguments: [
            ("100-continue", true), ("other, 100-Continue", true), ("other", false), ("100-continued", false),
        ]
    )
    func members(_ value: String, _ isExpected: Bool) {
        var request = HTTPRequest(method: .post, scheme: "https", authority: "a.test", path: "/")
        request.headerFields[.expect] = value
        let head = HTTP2RequestHead(RequestHead(request, content: .length(3)))
        #expect(head.expectsContinue == isExpected)
    }
}
