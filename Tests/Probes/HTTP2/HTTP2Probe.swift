import AirframeSocket
import AirframeTransport
import Foundation
import HTTPTypes

// http2-probe URL COUNT CONCURRENCY [1]: sends GET requests over HTTP/2, or over HTTP/1.1 with a 1 at the end, and
// prints what they cost. http2-probe hold URL COUNT: opens streams whose bodies are not read, and prints the memory
// that each takes.

@main
struct HTTP2Probe {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 4 else {
            print("usage: http2-probe URL COUNT CONCURRENCY [1] | http2-probe hold URL COUNT")
            exit(2)
        }
        if arguments[1] == "hold" {
            try await hold(arguments[2], Int(arguments[3]) ?? 1)
        } else {
            let isOld = arguments.count > 4
            try await load(arguments[1], Int(arguments[2]) ?? 1, Int(arguments[3]) ?? 1, isOld: isOld)
        }
    }

    private static func request(_ url: String, isOld: Bool = false) throws -> TransportRequest {
        let components = URLComponents(string: url)
        guard let components, let scheme = components.scheme, let host = components.host else { exit(2) }
        let authority = components.port.map { "\(host):\($0)" } ?? host
        var request = TransportRequest(
            HTTPRequest(method: .get, scheme: scheme, authority: authority, path: components.path))
        request.options.httpVersion = isOld ? .http1Only : scheme == "https" ? .http2Only : .http2PriorKnowledge
        if let path = ProcessInfo.processInfo.environment["PROBE_ROOT"] {
            let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
            let base64 = lines.filter { !$0.hasPrefix("-") }.joined()
            request.options.tls.roots = .certificates([DER(Array(Data(base64Encoded: base64) ?? Data()))])
        }
        return request
    }

    private static func load(_ url: String, _ count: Int, _ concurrency: Int, isOld: Bool) async throws {
        let transport = SocketTransport()
        let request = try request(url, isOld: isOld)
        _ = try await transport.send(request).body.collect(upTo: 1 << 30)
        let (startCPU, start) = (processorTime, ContinuousClock.now)
        let total = await withTaskGroup(of: (Int, Int).self) { group in
            for _ in 0..<concurrency {
                group.addTask {
                    var (bytes, failures) = (0, 0)
                    for _ in 0..<count / concurrency {
                        do {
                            let body = try await transport.send(request).body
                            while let chunk = try await body.next() { bytes += chunk.count }
                        } catch {
                            if failures == 0 { print(error) }
                            failures += 1
                        }
                    }
                    return (bytes, failures)
                }
            }
            return await group.reduce((0, 0)) { ($0.0 + $1.0, $0.1 + $1.1) }
        }
        let sent = Double(count / concurrency * concurrency)
        let elapsed = ContinuousClock.now - start
        let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) * 1e-18
        let cpu = (processorTime - startCPU) * 1e6 / sent
        print(
            "\(Int(sent / seconds)) requests/s, \(Int(cpu * 10) / 10) µs of CPU each, \(total.0) bytes, "
                + "\(total.1) failures, \(residentKilobytes) KiB resident")
    }

    private static func hold(_ url: String, _ count: Int) async throws {
        let transport = SocketTransport()
        let request = try request(url)
        var held: [TransportResponse] = []
        for _ in 0..<16 { held.append(try await transport.send(request)) }
        let before = residentKilobytes
        for _ in 0..<count { held.append(try await transport.send(request)) }
        let connections = Set(held.compactMap { $0.connection?.id }).count
        print("\((residentKilobytes - before) * 1024 / count) bytes per stream, \(connections) connections")
        withExtendedLifetime(held) {}
    }

    /// The processor time that the process has used, in seconds.
    private static var processorTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }

    private static var residentKilobytes: Int {
        let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
        return (pages.flatMap { $0.count > 1 ? Int($0[1]) : nil } ?? 0) * 4
    }
}
