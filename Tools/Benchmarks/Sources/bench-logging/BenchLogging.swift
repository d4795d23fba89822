import AirframeCore
import AirframeLogging
import AirframeSerialization
import AirframeTransport
import FoundationEssentials
import HTTPTypes
import Logging

/// Sends requests over an engine that answers immediately, with a logger that writes none of them. The logger's cost is
/// the difference from `none`.
///
///     bench-logging none|critical|task-local|warning REQUESTS
@main
enum BenchLogging {
    static func main() async {
        let words = CommandLine.arguments
        guard words.count == 3, let count = Int(words[2]), let monitors = monitors(words[1]) else {
            print("usage: bench-logging none|critical|task-local|warning REQUESTS")
            return
        }
        await withLogger(logger(.critical)) { _ in
            let session = Session(transport: Answer(), eventMonitors: monitors)
            var failures = 0
            let start = ContinuousClock.now
            for _ in 0..<count where await session.request("http://api.test/").serializingData().response.error != nil {
                failures += 1
            }
            let elapsed = ContinuousClock.now - start
            print("\(words[1]): \(elapsed / max(1, count)) a request, \(failures) failures")
        }
    }

    private static func monitors(_ name: String) -> [any EventMonitor]? {
        switch name {
        case "none": []
        case "critical": [RequestLogger(logger(.critical))]
        case "task-local": [RequestLogger()]
        case "warning": [RequestLogger(logger(.warning))]
        default: nil
        }
    }

    /// A logger that writes nothing.
    private static func logger(_ level: Logger.Level) -> Logger {
        var logger = Logger(label: "bench") { _ in Silence() }
        logger.logLevel = level
        return logger
    }
}

/// An engine that answers immediately.
private struct Answer: Transport {
    let capabilities = TransportCapabilities(engine: "answer", features: TransportFeatures(rawValue: .max))

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        request.report(.started(request.head), on: clock)
        request.report(.requestFinished, on: clock)
        let head = HTTPResponse(status: .ok, headerFields: [.contentLength: "2"])
        request.report(.responseHead(head, byteCount: nil), on: clock)
        return TransportResponse(head: head, body: ResponseBody(.init("ok".utf8)), request: request.head)
    }
}

/// A handler with a level and no output.
private struct Silence: LogHandler {
    var logLevel = Logger.Level.info
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?

    subscript(metadataKey key: String) -> Logger.MetadataValue? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {}
}
