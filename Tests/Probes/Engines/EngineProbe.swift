import AirframeConformance
import AirframeCurl
import AirframeSocket
import AirframeTransport
import Dispatch
import Foundation
import HTTPTypes

// engine-probe kinds ENGINE: sends requests of every kind, each after each other, over one transport.
// engine-probe names ENGINE: asks a resolver that does not answer for many names, and measures the other exchanges. Run
// in a network namespace whose resolv.conf names 127.0.0.1.

@main
struct EngineProbe {
    // Not asynchronous: libdispatch would park the main thread in a way that valgrind 3.19 dies of.
    static func main() {
        let isOver = DispatchSemaphore(value: 0)
        Task.detached {
            do {
                try await run()
            } catch {
                print("\(error)")
                exit(1)
            }
            isOver.signal()
        }
        isOver.wait()
    }

    private static func run() async throws {
        let words = CommandLine.arguments.dropFirst()
        guard words.count == 2, let kind = words.first, let engine = words.last else {
            print("usage: engine-probe kinds|names curl|sockets")
            exit(64)
        }
        let transport: any Transport = engine == "curl" ? CurlTransport() : SocketTransport()
        switch kind {
        case "kinds": try await KindsProbe(transport).run()
        case "names": try await NamesProbe(transport).run()
        default: exit(64)
        }
    }
}

/// Functions that all parts of the probe use.
enum Probe {
    static func request(
        _ method: String,
        _ authority: String,
        _ path: String = "/",
        body: RequestBody = .none
    ) -> TransportRequest {
        let head = HTTPRequest(
            method: HTTPRequest.Method(method) ?? .get, scheme: "http", authority: authority, path: path)
        var request = TransportRequest(head, body: body)
        request.options.proxy = ProxyPolicy.none
        return request
    }

    /// Sends a request and reads the response; how it ended, in a word.
    static func outcome(of request: TransportRequest, over transport: any Transport) async -> String {
        do {
            let response = try await transport.send(request)
            return String(decoding: try await response.body.collect(upTo: 1 << 24), as: UTF8.self)
        } catch {
            return "\(error.code)"
        }
    }
}
