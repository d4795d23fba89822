import Airframe
import Dispatch
import Foundation

/// Says on standard error when a request waits for a network or is tried again, one line each.
final class WaitReport: EventMonitor {
    let queue = DispatchQueue(label: "airframe.get.waits")

    func request(_ request: Request, didReceive event: TransportEvent) {
        guard case .decided(let decision) = event.kind else { return }
        switch decision.kind {
        case .waitsForConnectivity, .connectivityReturned: write(decision.reason)
        default: break
        }
    }

    func requestIsRetrying(_ request: Request) { write("trying again") }

    func request(_ request: Request, didCompleteTask task: URLSessionTask, with error: AFError?) {
        if let error { write(Failure(error).description) }
    }

    private func write(_ text: String) { FileHandle.standardError.write(Data("* \(text)\n".utf8)) }
}
