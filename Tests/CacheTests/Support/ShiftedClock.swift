import AirframeTransport
import Foundation
import HTTPTypes
import Synchronization

/// The system's clock, moved forward by a test.
final class ShiftedClock: TransportClock {
    private let offset = Mutex<Int64>(0)

    var now: MonotonicInstant {
        MonotonicInstant(nanoseconds: SystemClock.shared.now.nanoseconds + offset.withLock { $0 })
    }

    func advance(seconds: Double) { offset.withLock { $0 += Int64(seconds * 1e9) } }

    /// The date by this clock.
    var date: Date { date(at: now) }

    func date(at instant: MonotonicInstant) -> Date {
        let offset = self.offset.withLock { $0 }
        let real = MonotonicInstant(nanoseconds: instant.nanoseconds - offset)
        return SystemClock.shared.date(at: real).addingTimeInterval(Double(offset) / 1e9)
    }

    func sleep(until deadline: MonotonicInstant) async throws {
        try await SystemClock.shared.sleep(for: now.duration(to: deadline))
    }
}

/// An engine with another clock, whose responses may have a transfer coding that no engine accepts
/// (``SuiteOrigin/transferEncoding``).
struct ClockedLayer: TransportLayer {
    let base: any Transport
    let clock: any TransportClock

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        var response = try await base.send(request)
        if let name = HTTPField.Name(SuiteOrigin.transferEncoding), let value = response.head.headerFields[name] {
            response.head.headerFields[name] = nil
            response.head.headerFields[.transferEncoding] = value
        }
        return response
    }
}
