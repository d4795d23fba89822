import Airframe
import Benchmark
import Foundation

/// The chain with completion handlers, on their own queue or on the main queue.
struct HandlerClient: Sendable {
    private let settings: Settings
    private let session: Session
    private let queue: DispatchQueue

    init(_ settings: Settings, _ transport: any Transport, isMain: Bool) {
        queue = isMain ? .main : DispatchQueue(label: "bench-airframe.handlers")
        self.settings = settings
        session = Session(settings, transport)
        guard settings.work == .get || settings.work == .json else {
            refuse("--face handler and --face main do get and json")
        }
    }

    func perform(_ completion: @escaping Trial.Completion) {
        let request = session.request(settings.url).validate()
        if settings.work == .json {
            request.responseDecodable(of: Sample.self, queue: queue) { completion($0.error) }
        } else {
            request.responseData(queue: queue) { completion($0.error) }
        }
    }
}
