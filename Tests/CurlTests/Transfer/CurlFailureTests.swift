import AirframeTestSupport
import AirframeTransport
import Glibc
import Testing

@testable import AirframeCurl

/// libcurl's codes by their numbers: its headers are not the tests' business.
@Suite("The meaning of libcurl's results")
struct CurlFailureTests {
    struct Case: Sendable {
        var result: UInt32
        var words = ""
        var stage: Stage
        var proxy: String?
        var tunnelStatus: Int?
        var systemError: Int32 = 0
        let code: TransportError.Code
        let phase: TransportPhase
    }

    static let cases: [Case] = [
        Case(result: 6, stage: .resolve, code: .nameResolutionFailed, phase: .resolve),
        Case(result: 5, stage: .resolve, proxy: "p:1", code: .proxyFailed, phase: .proxy),
        Case(result: 7, stage: .connect, systemError: ECONNREFUSED, code: .connectFailed, phase: .connect),
        Case(result: 7, stage: .connect, systemError: ENETUNREACH, code: .networkUnreachable, phase: .connect),
        Case(result: 7, stage: .connect, systemError: EHOSTUNREACH, code: .networkUnreachable, phase: .connect),
        Case(result: 7, stage: .connect, proxy: "p:1", code: .proxyFailed, phase: .proxy),
        Case(result: 97, stage: .proxy, proxy: "p:1", code: .proxyFailed, phase: .proxy),
        Case(result: 56, stage: .proxy, proxy: "p:1", tunnelStatus: 403, code: .proxyFailed, phase: .proxy),
        Case(result: 35, stage: .tls, code: .tlsFailed, phase: .tls),
        Case(result: 35, words: "alert unknown ca", stage: .tls, code: .clientIdentityRefused, phase: .tls),
        Case(result: 35, stage: .proxy, proxy: "p:1", code: .proxyFailed, phase: .proxy),
        Case(result: 60, stage: .tls, code: .trustRefused, phase: .tls),
        Case(result: 98, stage: .tls, code: .clientIdentityRefused, phase: .tls),
        Case(
            result: 56, words: "alert certificate required", stage: .respond, code: .clientIdentityRefused, phase: .tls),
        Case(result: 55, stage: .send, code: .connectionLost, phase: .requestBody),
        Case(result: 56, stage: .respond, code: .connectionLost, phase: .responseHead),
        Case(result: 52, stage: .respond, code: .connectionLost, phase: .responseHead),
        Case(result: 56, stage: .body, code: .connectionLost, phase: .responseBody),
        Case(result: 18, stage: .body, code: .bodyTruncated, phase: .responseBody),
        Case(result: 18, stage: .respond, code: .connectionLost, phase: .responseHead),
        Case(result: 8, stage: .head, code: .malformedResponse, phase: .responseHead),
        Case(result: 1, stage: .respond, code: .malformedResponse, phase: .responseHead),
        Case(result: 56, words: "Malformed chunk", stage: .body, code: .malformedResponse, phase: .responseBody),
        Case(result: 16, stage: .body, code: .malformedResponse, phase: .responseBody),
        Case(result: 92, words: "INTERNAL_ERROR (err 2)", stage: .body, code: .connectionLost, phase: .responseBody),
        Case(
            result: 92, words: "PROTOCOL_ERROR (err 1)", stage: .respond, code: .malformedResponse, phase: .responseHead
        ),
        Case(result: 27, stage: .head, code: .headTooLarge, phase: .responseHead),
        Case(result: 27, stage: .pool, code: .engineFailure, phase: .pool),
        Case(result: 65, stage: .send, code: .bodyNotReplayable, phase: .requestBody),
        Case(result: 999, stage: .body, code: .engineFailure, phase: .responseBody),
    ]

    @Test("each result has a code and a phase", arguments: cases)
    func mapping(_ expected: Case) {
        let situation = CurlFailure.Situation(
            stage: expected.stage,
            host: "a.test",
            proxy: expected.proxy,
            tunnelStatus: expected.tunnelStatus,
            systemError: expected.systemError
        )
        let failure = CurlFailure(number: expected.result, words: expected.words, situation: situation)
        #expect(failure.code == expected.code)
        #expect(failure.phase == expected.phase)
        #expect(!failure.message.isEmpty)
    }

    @Test("a refused stream was not processed (RFC 9113 §8.7)")
    func refusedStream() {
        let situation = CurlFailure.Situation(stage: .respond)
        #expect(CurlFailure(number: 92, words: "REFUSED_STREAM (err 7)", situation: situation).isUnprocessed)
    }
}
