import AirframeSocket
import AirframeTestSupport
import AirframeTransport
import FoundationEssentials

/// Sends numbered requests from several concurrent tasks, each of which sends every `taskCount`-th request.
enum Storm {
    static func run<Value: Sendable>(
        count: Int,
        taskCount: Int,
        _ send: @escaping @Sendable (Int) async -> Value
    ) async -> [Value] {
        await withTaskGroup(of: [Value].self) { group in
            for first in 0..<taskCount {
                group.addTask {
                    var outcomes: [Value] = []
                    for number in stride(from: first, to: count, by: taskCount) { outcomes.append(await send(number)) }
                    return outcomes
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
    }

    /// Sends a request, and cancels it after `patience`.
    static func send(
        _ request: TransportRequest,
        on transport: SocketTransport,
        patience: Duration?
    ) async -> Result<Data, TransportError> {
        let task = Task { () async -> Result<Data, TransportError> in
            do throws(TransportError) {
                return .success(try await transport.fetch(request).body)
            } catch {
                return .failure(error)
            }
        }
        if let patience {
            try? await Task.sleep(for: patience)
            task.cancel()
        }
        return await task.value
    }
}
