import Airframe
import Foundation

/// The phases of a request, one line each, on standard error.
struct TimingReport {
    private let metrics: URLSessionTaskMetrics?

    init(_ metrics: URLSessionTaskMetrics?) { self.metrics = metrics }

    func write() {
        for line in lines { FileHandle.standardError.write(Data("* \(line)\n".utf8)) }
    }

    private var lines: [String] {
        guard let metrics else { return ["no metrics"] }
        return metrics.transactionMetrics.flatMap(lines(of:))
            + ["total \(milliseconds(metrics.taskInterval.duration))"]
    }

    private func lines(of transaction: URLSessionTaskTransactionMetrics) -> [String] {
        let phases = [
            ("name resolution", transaction.domainLookupStartDate, transaction.domainLookupEndDate),
            ("connect", transaction.connectStartDate, transaction.connectEndDate),
            ("TLS", transaction.secureConnectionStartDate, transaction.secureConnectionEndDate),
            ("request", transaction.requestStartDate, transaction.requestEndDate),
            ("waiting", transaction.requestEndDate, transaction.responseStartDate),
            ("response", transaction.responseStartDate, transaction.responseEndDate),
        ]
        let connection = transaction.isReusedConnection ? "reused" : "new"
        let peer = transaction.remoteAddress.map { " to \($0):\(transaction.remotePort ?? 0)" } ?? ""
        let head = "\(transaction.networkProtocolName ?? "no protocol") on a \(connection) connection\(peer)"
        return [head]
            + phases.compactMap { name, start, end in
                guard let start, let end else { return nil }
                return "  \(name) \(milliseconds(end.timeIntervalSince(start)))"
            }
    }

    private func milliseconds(_ interval: TimeInterval) -> String { String(format: "%.2f ms", interval * 1000) }
}
