import Airframe
import AirframeTestSupport
import Foundation
import HTTPTypes
import Testing

@Suite("Patterns of content types", .timeLimit(.minutes(1)))
struct ContentTypeTests {
    private static func response(_ type: String, _ patterns: [String]) async -> AFDataResponse<Data> {
        let transport = ClosureTransport { request in
            TransportResponse(
                head: HTTPResponse(status: .ok, headerFields: [.contentType: type]),
                body: ResponseBody(Data("{}".utf8)), request: request.head)
        }
        let session = kept(Session(transport: transport))
        return await session.request("http://api.test/").validate(contentType: patterns).serializingData().response
    }

    @Test(
        "a single part is both the type and the subtype, as in Alamofire",
        arguments: [("*", "application/json", true), ("text", "text/text", true), ("text", "text/plain", false)])
    func singlePart(pattern: String, type: String, isAccepted: Bool) async {
        let response = await Self.response(type, [pattern])
        #expect((response.error == nil) == isAccepted)
    }

    @Test("upper and lower case are equal (RFC 9110 §8.3.1)")
    func letters() async {
        #expect(await Self.response("application/json", ["Application/JSON"]).error == nil)
    }

    @Test("an empty pattern accepts nothing")
    func empty() async {
        #expect(await Self.response("application/json", [""]).error != nil)
    }
}
