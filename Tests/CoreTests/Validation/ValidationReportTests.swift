import Airframe
import AirframeTestSupport
import Foundation
import Testing

@Suite("The report of a validation", .timeLimit(.minutes(1)))
struct ValidationReportTests {
    /// Records the status codes in the errors of requests whose validation is reported.
    private final class Codes: EventMonitor {
        let all = Log<Int?>()
        let isCalledSynchronously = true

        func request(
            _ request: DataRequest, didValidateRequest urlRequest: URLRequest?, response: HTTPURLResponse, data: Data?,
            withResult result: Request.ValidationResult
        ) { all.append(request.error?.responseCode) }

        func request(
            _ request: DataStreamRequest, didValidateRequest urlRequest: URLRequest?, response: HTTPURLResponse,
            withResult result: Request.ValidationResult
        ) { all.append(request.error?.responseCode) }

        func request(
            _ request: DownloadRequest, didValidateRequest urlRequest: URLRequest?, response: HTTPURLResponse,
            fileURL: URL?, withResult result: Request.ValidationResult
        ) { all.append(request.error?.responseCode) }
    }

    @Test("comes when a request that failed it has its error")
    func failure() async {
        let codes = Codes()
        let session = kept(
            Session(transport: ClosureTransport { .status(404, "why", to: $0) }, eventMonitors: [codes]))
        _ = await session.request("http://api.test/").validate().serializingData().response
        #expect(codes.all.values == [404])
        _ = await session.download("http://api.test/").validate().serializingData().response
        #expect(codes.all.values == [404, 404])
        await #expect(throws: AFError.self) {
            for try await _ in session.streamRequest("http://api.test/").validate().bytes() {}
        }
        #expect(codes.all.values == [404, 404, 404])
    }
}
