import Airframe
import AirframeTestSupport
import Foundation

/// The value that a completion handler is called with, once it is: the samples keep their closures.
func handled<Value: Sendable>(_ start: (@escaping @Sendable (Value) -> Void) -> Void) async -> Value {
    await withCheckedContinuation { continuation in
        start { continuation.resume(returning: $0) }
    }
}

/// The server that stands for the one of the samples, `https://httpbin.org`.
func hangar(_ path: String = "") throws -> String { try Peers.required().http("hangar") + path }

/// The server's echo of a request.
struct EchoedRequest: Decodable, Sendable {
    let args: [String: String]
    let data: String
    let files: [String: String]
    let form: [String: String]
    let headers: [String: String]
    let json: [String: String]?
    let method: String

    /// A field of the request, regardless of the case of its name.
    func header(_ name: String) -> String? {
        headers.first { $0.key.lowercased() == name.lowercased() }?.value
    }
}

/// The answer of the server to an upload: how much has arrived.
struct Received: Decodable, Sendable {
    let bytes: Int
    let contentType: String?
}

/// An error of a sample's own.
struct CustomError: Error, Equatable {
    let words: String
}

/// Calls what is deprecated where the compiler does not see it: the samples use it much, and it has to go on working.
protocol JSONResponding {
    func respondJSON(_ completionHandler: @escaping @Sendable (AFDataResponse<any Sendable>) -> Void)
}

/// The result of `JSONSerialization` as a Sendable value.
private func sendable(_ json: Any) -> any Sendable {
    switch json {
    case let object as [String: any Sendable]: object
    case let array as [any Sendable]: array
    default: "\(json)"
    }
}

extension DataRequest: JSONResponding {
    @available(*, deprecated)
    func respondJSON(_ completionHandler: @escaping @Sendable (AFDataResponse<any Sendable>) -> Void) {
        responseJSON { completionHandler($0.map(sendable)) }
    }
}
