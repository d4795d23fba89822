import AirframeCore
import AirframeCurl
import AirframeLogging
import AirframeMock
import AirframeSerialization
import AirframeSocket
import AirframeTransport
import Foundation
import Glibc
import HTTPTypes
import Synchronization

// Writes to peers that are gone, in a process in which every signal has its default disposition.
// signal-probe curl|socket bytes|file|stream|trailers URL PROXY|- COUNT
// signal-probe console|curl-logger
// Ends with status 0 when nothing killed it and the disposition of SIGPIPE is still the default.

signal(SIGPIPE, SIG_DFL)
var pipeOnly = sigset_t()
sigemptyset(&pipeOnly)
sigaddset(&pipeOnly, SIGPIPE)
sigprocmask(SIG_UNBLOCK, &pipeOnly, nil)

func report(_ text: String) {
    FileHandle.standardError.write(Data("\(text)\n".utf8))
}

/// Trusts every server: the certificates are not what is examined here.
struct TrustAll: TrustEvaluation {
    var key: TrustKey { TrustKey("all") }
    func evaluate(chain: [DER], host: String, port: Int, stapledOCSPResponse: DER?) async throws {}
}

/// A body in pieces.
final class Pieces: RequestBodySource {
    private let left = Mutex(256)

    func next() async throws -> Data? {
        let isOver = left.withLock { left in
            left -= 1
            return left < 0
        }
        return isOver ? nil : Data(repeating: 120, count: 64 << 10)
    }

    func cancel() {}
}

func body(_ kind: String) throws -> RequestBody {
    let size = 16 << 20
    switch kind {
    case "bytes": return .bytes(Data(repeating: 120, count: size))
    case "stream": return .oneShot(Pieces())
    default:
        let path = NSTemporaryDirectory() + "signal-probe-\(getpid())"
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        truncate(path, off_t(size))
        let region = FileRegion(path: path, length: Int64(size))
        return kind == "file" ? .file(region) : .file(region).trailers { [.contentLocation: "/end"] }
    }
}

func upload(_ arguments: [String]) async throws {
    let transport: any Transport = arguments[1] == "socket" ? SocketTransport() : CurlTransport()
    guard let url = URLComponents(string: arguments[3]), let host = url.host, let port = url.port else {
        report("no URL")
        exit(64)
    }
    for _ in 0..<(Int(arguments[5]) ?? 1) {
        var request = TransportRequest(
            HTTPRequest(method: .post, scheme: url.scheme, authority: "\(host):\(port)", path: "/"),
            body: try body(arguments[2])
        )
        request.options.proxy = ProxyPolicy.none
        if arguments[4] != "-", let proxy = URLComponents(string: arguments[4]), let host = proxy.host {
            request.options.proxy = .proxy(Proxy(kind: .http, host: host, port: proxy.port ?? 80))
        }
        request.trust = TrustAll()
        do {
            let response = try await transport.send(request)
            let content = try await response.body.collect(upTo: 1 << 20)
            report("status \(response.head.status.code), \(content.count) bytes")
        } catch {
            report("\(error)")
        }
    }
    unlink(NSTemporaryDirectory() + "signal-probe-\(getpid())")
}

/// Logs requests to a pipe without a reader.
func log(_ kind: String) async {
    var ends: [Int32] = [0, 0]
    pipe(&ends)
    dup2(ends[1], STDOUT_FILENO)
    close(ends[0])
    let console = ConsoleLogger(to: .standardOutput)
    let curl = CURLLogger(to: .standardOutput)
    let transport = MockTransport { Route("/**").reply(.text("ok")) }
    let session = Session(transport: transport, eventMonitors: kind == "console" ? [console] : [curl])
    for _ in 0..<3 {
        let answer = await session.request("http://api.test/").serializingString().response
        report("\(answer.result)")
    }
    await console.flush()
    await curl.flush()
}

let arguments = CommandLine.arguments
switch arguments.count {
case 6: try await upload(arguments)
case 2: await log(arguments[1])
default:
    report("signal-probe: arguments are missing")
    exit(64)
}

var action = sigaction()
sigaction(SIGPIPE, nil, &action)
var mask = sigset_t()
sigprocmask(SIG_BLOCK, nil, &mask)
let isDefault = action.__sigaction_handler.sa_handler == nil
report(isDefault ? "SIGPIPE has its default disposition" : "the disposition of SIGPIPE was changed")
exit(isDefault && sigismember(&mask, SIGPIPE) == 0 ? 0 : 1)
