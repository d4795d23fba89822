import Airframe
import Foundation

// reporter URL [SECONDS]: posts the load of this machine to URL, every minute or after SECONDS. Without a network it
// waits for one.
guard let url = CommandLine.arguments.dropFirst().first.flatMap(URL.init(string:)), url.host() != nil else {
    print("usage: reporter URL [SECONDS]")
    exit(64)
}
let interval = CommandLine.arguments.dropFirst(2).first.flatMap(Int.init) ?? 60

struct Report: Encodable, Sendable {
    let time: Date
    let load: [Double]

    static func current() -> Report {
        var load = [0.0, 0.0, 0.0]
        getloadavg(&load, 3)
        return Report(time: .now, load: load)
    }
}

let configuration = URLSessionConfiguration.af.default
// A request waits for a route to the server, at most an hour, and fails then.
configuration.waitsForConnectivity = true
configuration.timeoutIntervalForResource = 3_600
let session = Session(configuration: configuration, interceptor: .reachabilityRetryPolicy(retryLimit: 5))

/// Writes a line to standard output immediately: `print` keeps lines back if standard output is a file or a pipe.
func log(_ line: String) {
    try? FileHandle.standardOutput.write(contentsOf: Data("\(line)\n".utf8))
}

/// Logs the changes of the network until the process ends.
func logNetwork() async throws {
    for try await path in NetworkPathMonitor(.init(host: url.host())) {
        log(path.reason.map { "offline: \($0.rawValue)" } ?? "online by \(path.primaryInterface?.name ?? "?")")
    }
}

/// Posts reports until the process ends. A report that fails is dropped: the next one is newer.
func report() async throws {
    while true {
        let response = await session.request(url, method: .post, parameters: Report.current(), encoder: .json)
            .validate().serializingData(emptyResponseCodes: [200, 201, 202, 204]).response
        log(response.error.map { "report failed: \($0.localizedDescription)" } ?? "reported")
        try await Task.sleep(for: .seconds(interval))
    }
}

try await withThrowingTaskGroup(of: Void.self) { group in
    group.addTask { try await logNetwork() }
    group.addTask { try await report() }
    try await group.waitForAll()
}
