import AirframeCache
import AirframeLayers
import AirframeTransport
import FoundationEssentials
import Glibc
import HTTPTypes

// A process that stores responses.
//
//     cache-probe FOLDER FIRST    until it is killed: response number n, from FIRST on, replaces the one of resource
//                                 n % 20, and its content follows from n
//     cache-probe FOLDER fill     on a disk that is too small, and prints what became of 200 responses

let arguments = CommandLine.arguments
guard arguments.count == 3, let name = HTTPField.Name("X-Number") else {
    print("cache-probe: a folder and a number are needed")
    exit(64)
}
let cache = CacheLayer(
    ClosureTransport { request in
        let number = Int(request.head.headerFields[name] ?? "") ?? 0
        var head = HTTPResponse(status: .ok)
        head.headerFields[.cacheControl] = "max-age=86400"
        head.headerFields[name] = "\(number)"
        return TransportResponse(head: head, body: ResponseBody(content(number)), request: request.head)
    }, store: DiskCacheStore(directory: arguments[1]))

@Sendable func content(_ number: Int) -> Data {
    Data((0..<(number * 7919 % 60_000)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ number) })
}

func request(_ path: String, _ number: Int) -> TransportRequest {
    var request = TransportRequest(
        HTTPRequest(method: .get, scheme: "http", authority: "api.test", path: path))
    request.head.headerFields[name] = "\(number)"
    return request
}

func storeUntilKilled(from first: Int) async throws {
    var number = first
    while true {
        var request = request("/\(number % 20)", number)
        request[CacheUse.self] = .reload
        _ = try await cache.send(request).body.collect(upTo: 1 << 20)
        if number == first { write(1, "r", 1) }
        number += 1
    }
}

/// Sends 200 requests.
///
/// - Returns: How many were answered by the cache, and how many answers were wrong.
func answers() async throws -> (cached: Int, wrong: Int) {
    var (cached, wrong) = (0, 0)
    for number in 0..<200 {
        let response = try await cache.send(request("/\(number)", number))
        if response.source == .cache { cached += 1 }
        if try await response.body.collect(upTo: 1 << 20) != content(number) { wrong += 1 }
    }
    return (cached, wrong)
}

func fillDisk() async throws {
    let first = try await answers()
    let second = try await answers()
    // Room for the second half.
    for number in 0..<100 {
        if let key = CacheKey(request("/\(number)", number).head) { try await cache.store.removeAll(for: key) }
    }
    var again = 0
    for number in 150..<200 {
        var reload = request("/\(number)", number)
        reload[CacheUse.self] = .reload
        _ = try await cache.send(reload).body.collect(upTo: 1 << 20)
        if try await cache.send(request("/\(number)", number)).source == .cache { again += 1 }
    }
    print("stored:\(second.cached) refused:\(200 - second.cached) wrong:\(first.wrong + second.wrong) again:\(again)")
}

if let first = Int(arguments[2]) {
    try await storeUntilKilled(from: first)
} else {
    try await fillDisk()
}
