import AirframeCore
import AirframeSocket
import Benchmark
import Dispatch

/// Starts, sends a request and ends: a session on one engine, and nothing that either does not need.
@main
enum BenchStart {
    static func main() async {
        let settings = Settings()
        let session = Session(transport: SocketTransport(), startRequestsImmediately: false)
        await Trial(of: "airframe/socket/alone", settings).run {
            let monitor = ClosureEventMonitor(queue: DispatchQueue(label: "bench-start"))
            let request = await withUnsafeContinuation { continuation in
                monitor.requestDidFinish = { continuation.resume(returning: $0) }
                let request = session.request(settings.url)
                request.eventMonitor(monitor).resume()
            }
            if let error = request.error { throw error }
            try UnexpectedResponse.check(
                status: request.response?.statusCode ?? 0,
                count: Int(request.task?.countOfBytesReceived ?? 0)
            )
        }
    }
}
