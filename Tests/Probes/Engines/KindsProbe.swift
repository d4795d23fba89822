import AirframeConformance
import AirframeTransport
import Foundation
import HTTPTypes

/// Requests of every kind over one transport, so that each kind follows each kind, itself included.
struct KindsProbe {
    private struct Kind {
        let name: String
        let expected: String
        let send: @Sendable () async -> String
    }

    private let transport: any Transport

    init(_ transport: any Transport) { self.transport = transport }

    func run() async throws {
        let server = try ScriptedServer(Self.serve)
        let file = FileManager.default.temporaryDirectory.appending(path: "kinds-\(getpid())").path
        try Data(repeating: 0x66, count: 200_000).write(to: URL(filePath: file))
        defer { try? FileManager.default.removeItem(atPath: file) }
        let kinds = Self.kinds(transport, "127.0.0.1:\(server.port)", file)
        for (step, index) in Self.walk(kinds.count).enumerated() {
            let outcome = await kinds[index].send()
            guard outcome == kinds[index].expected else {
                print("step \(step), \(kinds[index].name): \(outcome) instead of \(kinds[index].expected)")
                exit(1)
            }
        }
        await transport.shutdown()
        print("\(kinds.count) kinds in \(kinds.count * kinds.count + 1) requests")
    }

    /// A walk over `0..<count` that takes every step from a number to a number once.
    private static func walk(_ count: Int) -> [Int] {
        var next = [Int](repeating: 0, count: count)
        var path = [0]
        var walk: [Int] = []
        while let last = path.last {
            if next[last] < count {
                path.append(next[last])
                next[last] += 1
            } else {
                walk.append(path.removeLast())
            }
        }
        return walk
    }

    /// Answers with the size of what it got and the number of its trailers.
    private static func serve(_ connection: ScriptedConnection) throws {
        while true {
            let head = try connection.readHead().lowercased()
            if head.contains("expect: 100-continue") { try connection.send("HTTP/1.1 100 Continue\r\n\r\n") }
            var answer = "0"
            if head.contains("transfer-encoding: chunked") {
                let (content, trailers) = try connection.readChunkedBody()
                answer = "\(content.count)+\(trailers.count)"
            } else if let line = head.split(separator: "\r\n").first(where: { $0.hasPrefix("content-length:") }) {
                answer = "\(try connection.read(Int(line.dropFirst(16)) ?? 0).count)"
            }
            if head.contains(" /reset ") { return connection.reset() }
            if head.contains(" /silent ") {
                _ = try? connection.readToEnd()
                return
            }
            let length = "HTTP/1.1 200 OK\r\nContent-Length: \(answer.utf8.count)\r\n\r\n"
            try connection.send(length + (head.hasPrefix("head ") ? "" : answer))
        }
    }

    private static func kinds(_ transport: any Transport, _ authority: String, _ file: String) -> [Kind] {
        @Sendable func send(
            _ method: String,
            _ path: String = "/",
            body: RequestBody = .none,
            _ change: (inout TransportRequest) -> Void = { _ in }
        ) async -> String {
            var request = Probe.request(method, authority, path, body: body)
            change(&request)
            return await Probe.outcome(of: request, over: transport)
        }
        @Sendable func stream(_ count: Int) -> RequestBody {
            .restartable { Pieces(count: count, size: 20_000) }
        }
        @Sendable func summed(_ body: RequestBody) -> RequestBody { body.trailers { [.eTag: "sum"] } }
        return [
            Kind(name: "none", expected: "0") { await send("GET") },
            Kind(name: "head", expected: "") { await send("HEAD") },
            Kind(name: "bytes", expected: "1000") { await send("POST", body: .bytes(Data(count: 1000))) },
            Kind(name: "file", expected: "200000") {
                await send("PUT", body: .file(FileRegion(path: file, length: 200_000)))
            },
            Kind(name: "stream", expected: "80000+0") { await send("POST", body: stream(4)) },
            Kind(name: "stream with trailers", expected: "80000+1") { await send("POST", body: summed(stream(4))) },
            Kind(name: "expectation", expected: "1000") {
                await send("PUT", body: .bytes(Data(count: 1000))) {
                    $0.options.expectContinue = .always(wait: .seconds(5))
                }
            },
            Kind(name: "failing", expected: "connectionLost") {
                await send("POST", "/reset", body: summed(.bytes(Data(count: 10))))
            },
            Kind(name: "limited", expected: "timedOut") {
                await send("GET", "/silent") { $0.options.limits.firstByte = .milliseconds(5) }
            },
            Kind(name: "cancelled", expected: "cancelled") {
                let task = Task { await send("POST", "/silent", body: summed(stream(2))) }
                try? await Task.sleep(for: .milliseconds(5))
                task.cancel()
                return await task.value
            },
        ]
    }
}

/// A source of so many pieces of a size.
private actor Pieces: RequestBodySource {
    private var count: Int
    private let size: Int

    init(count: Int, size: Int) {
        self.count = count
        self.size = size
    }

    func next() -> Data? {
        guard count > 0 else { return nil }
        count -= 1
        return Data(repeating: 0x61, count: size)
    }
}
