import AirframeCore
import AirframeLogging
import AirframeMock
import AirframeSerialization
import Foundation

// A process that records, for tests that watch or kill it: har-probe FILE [COUNT]
// Without a count it runs forever, and after each request says how many are in the file. With one it ends, and says
// how many KiB are resident after each fifth of the requests.

guard (2...3).contains(CommandLine.arguments.count) else {
    FileHandle.standardError.write(Data("har-probe: a file is needed, and perhaps a count\n".utf8))
    exit(64)
}
let limit = CommandLine.arguments.count > 2 ? Int(CommandLine.arguments[2]) ?? 0 : nil
let recorder = try HARRecorder(file: URL(fileURLWithPath: CommandLine.arguments[1]))
let mock = MockTransport { Route("/**").reply(.text(String(repeating: "hello ", count: limit == nil ? 1 : 1000))) }
let session = Session(transport: mock, eventMonitors: [recorder])

/// The line of /proc/self/status with the resident size.
var residentKiB: Int {
    let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
}

func say(_ number: Int) { FileHandle.standardOutput.write(Data("\(number)\n".utf8)) }

var count = 0
while count < limit ?? .max {
    _ = await session.request("http://api.test/\(count)").serializingData().response
    count += 1
    mock.reset()
    guard let limit else {
        await recorder.flush()
        say(count)
        continue
    }
    // Requests may be faster than the disk: what waits for it is not what is measured.
    if count.isMultiple(of: 100) { await recorder.flush() }
    if count.isMultiple(of: max(1, limit / 5)) { say(residentKiB) }
}
do {
    try await recorder.close()
} catch {
    FileHandle.standardError.write(Data("har-probe: \(error)\n".utf8))
    exit(1)
}
