import AirframeTestSupport
import AirframeTransport
import FoundationEssentials
import HTTPTypes
import Testing

@testable import AirframeCurl

@Suite("The states of a transfer", .timeLimit(.minutes(1)))
struct TransferTests {
    @Test("a request that is sent again over a new connection gets its addresses from the transport's resolver")
    func repetition() throws {
        let standing = try StandingTransfer(TransportRequest(.get, "http://service.test/"))
        defer { withExtendedLifetime(standing) {} }
        let transfer = standing.transfer
        transfer.attemptCount = 1
        transfer.isRetryPermitted = true
        transfer.enter(.respond)
        // libcurl would ask the system.
        #expect(!transfer.needAddress())
        #expect(transfer.awaitsNames)
        // The limit on connecting applies.
        #expect(transfer.stage == .resolve)
    }

    @Test("content waits for 100 (Continue), whether an option or the caller's field asks for it")
    func expectation() throws {
        let body = RequestBody.bytes(Data("content".utf8))
        let plain = TransportRequest(.post, "http://a.test/", body: body)
        let field = TransportRequest(.post, "http://a.test/", fields: [.expect: "100-continue"], body: body)
        #expect(try StandingTransfer(plain).transfer.continueWait == nil)
        #expect(try StandingTransfer(field).transfer.continueWait == .seconds(1))
        let option = field.with { $0.options.expectContinue = .always(wait: .seconds(3)) }
        #expect(try StandingTransfer(option).transfer.continueWait == .seconds(3))
    }
}
