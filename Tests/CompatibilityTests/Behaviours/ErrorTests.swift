import AirframeCore
import AirframeSecurity
import AirframeSerialization
import AirframeTestSupport
import AirframeTransport
import Foundation
import Testing

@Suite("Errors", .enabled(if: Peers.areExpected), .timeLimit(.minutes(1)))
struct ErrorTests {
    @Test(
        "a URL without a scheme or a host fails the task with unsupportedURL",
        arguments: TestedEngine.allCases, ["relative/path", "http:///path", "//host/path"]
    )
    func unsupportedURL(engine: TestedEngine, text: String) async throws {
        let session = engine.session()
        let response = await session.request(text).serializingData().response
        guard case .sessionTaskFailed(let error as URLError) = response.error else {
            Issue.record("\(String(describing: response.error))")
            return
        }
        #expect(error.code == .unsupportedURL)
    }

    @Test(
        "a certificate rejected without a trust manager fails the task with a URLError",
        arguments: TestedEngine.allCases)
    func refusedCertificate(engine: TestedEngine) async throws {
        let session = engine.session()
        let origin = try Peers.required().https("httpsExpired")
        let error = await session.request("\(origin)/get").serializingData().response.error
        guard case .sessionTaskFailed(let beneath as URLError) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(beneath.code == .serverCertificateHasBadDate)
        #expect(error?.transportError?.isTrustFailure == true)
    }

    @Test(
        "a certificate that an evaluator rejects is trustEvaluationFailed with the violated rule",
        arguments: TestedEngine.allCases)
    func refusedByEvaluator(engine: TestedEngine) async throws {
        let manager = ServerTrustManager(evaluators: ["localhost": DefaultTrustEvaluator()])
        let session = engine.session(serverTrustManager: manager)
        let origin = try Peers.required().https("httpsExpired")
        let error = await session.request("\(origin)/get").serializingData().response.error
        guard case .serverTrustEvaluationFailed(let reason) = error, case .trustEvaluationFailed(let beneath) = reason
        else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(beneath is AFError.ServerTrustFailureReason)
        guard case .hostValidationFailed = reason.cause else {
            guard case .defaultEvaluationFailed = reason.cause else {
                Issue.record("\(reason.cause)")
                return
            }
            return
        }
    }

    @Test("the acceptable content types of an error are sorted", arguments: TestedEngine.allCases)
    func contentTypes(engine: TestedEngine) async throws {
        let session = engine.session()
        let types = ["text/csv", "application/xml", "image/png"]
        let response = await session.request(try hangar("/get")).validate(contentType: types).serializingData().response
        #expect(response.error?.acceptableContentTypes == types.sorted())
    }
}
