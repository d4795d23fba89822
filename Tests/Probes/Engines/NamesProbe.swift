import AirframeConformance
import AirframeTransport
import Foundation
import HTTPTypes

/// Lookups that are not answered, and what they do to the rest of the process.
struct NamesProbe {
    private let transport: any Transport

    init(_ transport: any Transport) { self.transport = transport }

    func run() async throws {
        let silent = try SilentResolver()
        let server = try ScriptedServer { connection in
            while true {
                try connection.readHead()
                try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            }
        }
        let other = Probe.request("GET", "127.0.0.1:\(server.port)")
        guard await Probe.outcome(of: other, over: transport) == "ok" else { exit(1) }
        let before = Census()
        let transport = transport
        let lookups = (0..<300).map { number in
            Task { await Probe.outcome(of: Probe.request("GET", "name\(number).test"), over: transport) }
        }
        try await Task.sleep(for: .milliseconds(300))
        let during = Census()
        // Abandoned one by one, while other requests go on.
        var slowest = Duration.zero
        for (number, lookup) in lookups.enumerated() {
            lookup.cancel()
            guard number % 10 == 0 else { continue }
            let start = ContinuousClock.now
            guard await Probe.outcome(of: other, over: transport) == "ok" else { exit(1) }
            slowest = max(slowest, ContinuousClock.now - start)
        }
        var outcomes: Set<String> = []
        for lookup in lookups { outcomes.insert(await lookup.value) }
        print("questions \(silent.questionCount > 0)")
        print("outcomes \(outcomes.sorted().joined(separator: ","))")
        print("threads \(during.threads - before.threads)")
        print("descriptors \(during.descriptors - before.descriptors)")
        print("slowest \(slowest.components.seconds * 1000 + slowest.components.attoseconds / 1_000_000_000_000_000)")
        // Threads that wait in the C library end with the process.
        exit(0)
    }

    private struct Census {
        let threads = names(in: "/proc/self/task")
        let descriptors = names(in: "/proc/self/fd")

        private static func names(in path: String) -> Int {
            (try? FileManager.default.contentsOfDirectory(atPath: path).count) ?? 0
        }
    }
}

/// A server of names that takes questions and answers none.
private final class SilentResolver {
    private let descriptor: Int32

    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(53).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }

    deinit { close(descriptor) }

    /// How many questions have come.
    var questionCount: Int {
        var count = 0
        var buffer = [UInt8](repeating: 0, count: 512)
        while recv(descriptor, &buffer, buffer.count, 0) > 0 { count += 1 }
        return count
    }
}
