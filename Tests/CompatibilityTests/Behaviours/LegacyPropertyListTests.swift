import AirframeLegacy
import AirframeMock
import Foundation
import HTTPTypes
import Testing

@Suite("Property lists of Alamofire 4", .timeLimit(.minutes(1)))
struct LegacyPropertyListTests {
    @Test("a response without content is NSNull, and empty content of another status is an error")
    func emptyContent() async throws { try await (EmptyContent() as any Sample).run() }

    private struct EmptyContent: Sample {
        @available(*, deprecated)
        func run() async throws {
            for status in [204, 205, 200] {
                let engine = MockTransport { Route("/**").reply(.status(HTTPResponse.Status(code: status))) }
                let session = Session(transport: engine)
                let response = await handled { (done: @escaping @Sendable (AFDataResponse<Any>) -> Void) in
                    session.request("http://api.test/").responsePropertyList(queue: .global()) { done($0) }
                }
                #expect((response.value is NSNull) == (status != 200), "\(status)")
                #expect((response.error == nil) == (status != 200), "\(status)")
            }
        }
    }
}
