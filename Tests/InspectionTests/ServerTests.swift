import AirframeHAR
import Foundation
import Testing

@testable import AirframeInspection

@Suite("The server of an inspected program", .timeLimit(.minutes(1)))
struct ServerTests {
    /// A path that no other test uses, short enough for a socket.
    private let path = "/tmp/airframe-test-\(UUID().uuidString.prefix(8)).sock"

    /// An exchange that has ended, with a response of `size` bytes.
    private func finished(_ number: UInt64, size: Int = 2) -> InspectionMessage {
        let entry = HAR.Entry(
            startedDateTime: Date(timeIntervalSince1970: 0),
            time: 0,
            request: HAR.Request(method: "GET", url: "http://api.test/\(number)"),
            response: HAR.Response(
                status: 200, content: HAR.Content(size: Int64(size), text: String(repeating: "x", count: size))),
            timings: HAR.Timings()
        )
        return .finished(id: number, entry: entry)
    }

    @Test("a history without a limit keeps all exchanges")
    func unlimitedHistory() async throws {
        let server = try InspectionServer(path: path, history: .max)
        for number in 1...3 { server.send(finished(UInt64(number))) }
        await server.flush()
        var count = 0
        for try await message in try InspectionClient(.path(path)).messages() {
            if case .finished = message { count += 1 }
            if case .current = message { break }
        }
        #expect(count == 3)
    }
}
