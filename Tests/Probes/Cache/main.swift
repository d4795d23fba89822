import AirframeCache
import AirframeLayers
import AirframeTransport
import FoundationEssentials
import Glibc
import HTTPTypes

// A process that stores responses until it is killed: cache-probe FOLDER FIRST. Response number n replaces the one of
// resource n % 20, and its content follows from n.

let arguments = CommandLine.arguments
guard arguments.count == 3, let first = Int(arguments[2]), let name = HTTPField.Name("X-Number") else {
    print("cache-probe: a folder and a number are needed")
    exit(64)
}

let origin = ClosureTransport { request in
    let number = Int(request.head.headerFields[name] ?? "") ?? 0
    var head = HTTPResponse(status: .ok)
    head.headerFields[.cacheControl] = "max-age=86400"
    head.headerFields[name] = "\(number)"
    let content = Data((0..<(number * 7919 % 60_000)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ number) })
    return TransportResponse(head: head, body: ResponseBody(content), request: request.head)
}
let cache = CacheLayer(origin, store: DiskCacheStore(directory: arguments[1]))
var number = first
while true {
    var request = TransportRequest(
        HTTPRequest(method: .get, scheme: "http", authority: "api.test", path: "/\(number % 20)"))
    request.head.headerFields[name] = "\(number)"
    request[CacheUse.self] = .reload
    _ = try await cache.send(request).body.collect(upTo: 1 << 20)
    if number == first { write(1, "r", 1) }
    number += 1
}
