import Airframe
import AirframeTransfers
import Foundation

// A process that carries a queue out, for tests that kill it:
//   queue-probe QUEUE RATE     carries out all transfers, with RATE bytes per second, and ends

let arguments = CommandLine.arguments
guard arguments.count == 3, let rate = Int64(arguments[2]) else {
    print("queue-probe: the queue's file and a number of bytes per second are needed")
    exit(64)
}
do {
    let sessionConfiguration = URLSessionConfiguration.af.default
    sessionConfiguration.transportOptions.proxy = ProxyPolicy.none
    var configuration = TransferQueue.Configuration()
    configuration.concurrentTransfers = 8
    configuration.concurrentTransfersPerHost = 8
    configuration.bytesPerSecond = rate > 0 ? rate : nil
    configuration.checkpointSeconds = 0.02
    let queue = try await TransferQueue(
        file: URL(fileURLWithPath: arguments[1]), session: Session(configuration: sessionConfiguration),
        configuration: configuration)
    try await queue.runUntilIdle()
    let failed = try await queue.transfers(in: [.failed])
    for transfer in failed { print("\(transfer): \(transfer.error ?? "")") }
    exit(failed.isEmpty ? 0 : 1)
} catch {
    print("queue-probe: \(error)")
    exit(1)
}
