import AirframeCore
import AirframeSocket
import AirframeTransport
import AirframeWebSocket
import Foundation
import Glibc

/// bench-websocket URL echo|idle COUNT SOCKETS BYTES [--compressed] [--reactor]
/// `echo` sends COUNT messages of BYTES bytes over SOCKETS connections, each after the echo of the one before, and
/// prints the CPU time of each echo. `idle` opens SOCKETS connections and prints the memory that each holds.
/// `--reactor` runs the tasks on the transport's own executor.
/// on the transport's own executor.
@main
enum BenchWebSocket {
    static func main() async throws {
        let words = CommandLine.arguments.filter { !$0.hasPrefix("--") }
        guard words.count == 6, let count = Int(words[3]), let sockets = Int(words[4]), let size = Int(words[5]) else {
            FileHandle.standardError.write(Data("usage: bench-websocket URL echo|idle COUNT SOCKETS BYTES\n".utf8))
            exit(64)
        }
        let transport = SocketTransport()
        let sessionConfiguration = URLSessionConfiguration.af.default
        sessionConfiguration.transportOptions.proxy = ProxyPolicy.none
        let session = Session(transport: transport, configuration: sessionConfiguration)
        let isCompressed = CommandLine.arguments.contains("--compressed")
        let configuration = WebSocket.Configuration(
            compression: isCompressed ? .standard : nil, maximumMessageSize: 64 << 20)
        let executor: (any TaskExecutor)? = CommandLine.arguments.contains("--reactor") ? transport.executor : nil
        try await withTaskExecutorPreference(executor) {
            switch words[2] {
            case "idle": try await idle(session, words[1], configuration, sockets)
            default: try await echo(session, words[1], configuration, count, sockets, size)
            }
        }
    }

    private static func echo(
        _ session: Session,
        _ url: String,
        _ configuration: WebSocket.Configuration,
        _ count: Int,
        _ sockets: Int,
        _ size: Int
    ) async throws {
        let message = Message.text(size)
        func run(_ count: Int) async throws {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for socket in connected {
                    group.addTask {
                        var messages = socket.messages.makeAsyncIterator()
                        for _ in 0..<(count / sockets) {
                            try await socket.send(message)
                            guard case .string(let echo) = try await messages.next(), echo.utf8.count == size else {
                                throw EchoMissing()
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        var connected: [WebSocket] = []
        for _ in 0..<sockets { connected.append(try await session.webSocket(url, configuration: configuration)) }
        try await run(max(sockets, count / 10))
        let (cpu, clock) = (cpuMicroseconds(), ContinuousClock.now)
        try await run(count)
        let seconds = clock.duration(to: .now) / .seconds(1)
        let result = """
            {"client": "airframe", "cpuMicros": \((cpuMicroseconds() - cpu) / Double(count)), \
            "perSecond": \(Double(count) / seconds), "peakMiB": \(Double(status("VmHWM")) / 1024)}
            """
        print(result)
        for socket in connected { await socket.close() }
    }

    private static func idle(
        _ session: Session,
        _ url: String,
        _ configuration: WebSocket.Configuration,
        _ sockets: Int
    ) async throws {
        // Pools and the allocator find their size first.
        var connected = [try await session.webSocket(url, configuration: configuration)]
        let before = status("VmRSS")
        for _ in 0..<sockets { connected.append(try await session.webSocket(url, configuration: configuration)) }
        let held = Double(status("VmRSS") - before) / Double(sockets)
        print("{\"client\": \"airframe\", \"idleKiB\": \(held), \"sockets\": \(connected.count - 1)}")
        for socket in connected { await socket.close() }
    }

    /// The CPU time of the process in microseconds.
    private static func cpuMicroseconds() -> Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e6
            + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec)
    }

    /// A line of the process's status, in KiB.
    private static func status(_ name: String) -> Int {
        let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
        return line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0
    }
}

/// The message that is echoed: text that compresses to about a third, the same for all clients.
private enum Message {
    static func text(_ size: Int) -> String {
        var (text, state) = ("", 1 as UInt32)
        let words = ["alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel"]
        while text.utf8.count < size {
            state = state &* 1_664_525 &+ 1_013_904_223
            text += words[Int(state >> 24) % words.count] + "-\(state >> 20) "
        }
        return String(text.prefix(size))
    }
}

private struct EchoMissing: Error {}
