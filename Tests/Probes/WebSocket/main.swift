import AirframeCore
import AirframeSocket
import AirframeTransport
import AirframeWebSocket
import Foundation
import Synchronization

// websocket-probe autobahn ORIGIN SLOWNESS CASE…: plays Autobahn's cases, eight at a time, as a client that echoes.
//   SLOWNESS is "whole", or "bytes" to read a byte at a time.
// websocket-probe echo URL COUNT: sends a message COUNT times, and prints the resident memory before and after in KiB.
// websocket-probe stream URL MEBIBYTES: sends one message of that size, reads its echo in pieces, and prints the peak
//   of resident memory in KiB.
// websocket-probe idle URL COUNT: opens COUNT sockets, and prints the resident memory of each in bytes.

let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "autobahn": try await playAutobahn(arguments[1], isSlow: arguments[2] == "bytes", Array(arguments.dropFirst(3)))
case "echo": try await echoMany(arguments[1], Int(arguments[2]) ?? 0)
case "stream": try await streamLarge(arguments[1], Int(arguments[2]) ?? 0)
case "idle": try await holdIdle(arguments[1], Int(arguments[2]) ?? 0)
default:
    print("usage: websocket-probe autobahn ORIGIN whole|bytes CASE… | echo URL COUNT | stream URL MIB | idle URL COUNT")
    exit(2)
}

/// A session over sockets that trusts the certificates of `AIRFRAME_ROOTS`.
func makeSession(_ wrap: (any Transport) -> any Transport = { $0 }) -> Session {
    let configuration = URLSessionConfiguration.af.default
    var options = TransportOptions()
    options.proxy = ProxyPolicy.none
    if let roots = ProcessInfo.processInfo.environment["AIRFRAME_ROOTS"] {
        options.tls.roots = .pemFile(path: roots)
    }
    configuration.transportOptions = options
    return Session(composed: wrap(SocketTransport()), configuration: configuration)
}
