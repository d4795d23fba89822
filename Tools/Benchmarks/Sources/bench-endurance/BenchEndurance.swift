import AirframeCore
import AirframeSerialization
import AirframeSocket
import AirframeTransport
import Benchmark
import Foundation
import HTTPTypes

/// Sends many requests over sockets, and reports the process's resources after 10, 50 and 100 % of them, with none in
/// flight.
@main
enum BenchEndurance {
    enum Face: String, CaseIterable {
        /// `await AF.request(…).serializingData().value`.
        case await
        /// `transport.send(…)`, without a session.
        case transport
    }

    static func main() async {
        let settings = Settings()
        let face = settings.choice("--face", settings.face, default: Face.transport)
        let transport = SocketTransport()
        let session = Session(transport: transport)
        await run(settings, share: 1, of: 100, face, transport, session)
        var done = 0
        for percent in [10, 50, 100] {
            await run(settings, share: percent - done, of: 100, face, transport, session)
            done = percent
            await report(percent, settings, transport, session)
        }
    }

    private static func run(
        _ settings: Settings,
        share: Int,
        of whole: Int,
        _ face: Face,
        _ transport: SocketTransport,
        _ session: Session
    ) async {
        let count = settings.requests * share / whole / settings.concurrency
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<settings.concurrency {
                group.addTask {
                    for _ in 0..<count {
                        do {
                            try await send(settings, face, transport, session)
                        } catch {
                            refuse("a request failed: \(error)")
                        }
                    }
                }
            }
        }
    }

    private static func send(
        _ settings: Settings,
        _ face: Face,
        _ transport: SocketTransport,
        _ session: Session
    ) async throws {
        let endsConnection = settings.work == .newConnection
        switch face {
        case .await:
            let request = session.request(settings.url, headers: endsConnection ? ["Connection": "close"] : nil)
            _ = try await request.validate().serializingData().value
        case .transport:
            guard let url = URLComponents(string: settings.url), let host = url.host else {
                refuse("\(settings.url) is not a URL")
            }
            let authority = url.port.map { "\(host):\($0)" } ?? host
            var head = HTTPRequest(method: .get, scheme: url.scheme, authority: authority, path: url.percentEncodedPath)
            if endsConnection { head.headerFields[.connection] = "close" }
            let response = try await transport.send(TransportRequest(head))
            let count = try await response.body.collect(upTo: 1 << 20).count
            try UnexpectedResponse.check(status: response.head.status.code, count: count)
        }
    }

    private static func report(
        _ percent: Int,
        _ settings: Settings,
        _ transport: SocketTransport,
        _ session: Session
    ) async {
        let unfinished = await withCheckedContinuation { continuation in
            session.withAllRequests { continuation.resume(returning: $0.count) }
        }
        let pool = transport.statistics
        let holdings = Holdings()
        let fields = [
            ("requests", settings.requests / 100 * percent), ("descriptors", holdings.descriptors),
            ("connections", pool.connectionCount), ("busy", pool.busyConnectionCount), ("unfinished", unfinished),
            ("threads", holdings.threads), ("allocatedKiB", holdings.allocatedKiB),
            ("residentKiB", holdings.residentKiB),
        ]
        print("{" + fields.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}")
    }
}
