import Foundation

/// A sample of a document about Alamofire. The requirement is not deprecated, so that samples that use old names are
/// called without warnings.
protocol Sample {
    func run() async throws
}

/// The value that a completion handler is called with.
func handled<Value>(_ start: (@escaping @Sendable (Value) -> Void) -> Void) async -> Value {
    let crossing = await withCheckedContinuation { continuation in
        start { continuation.resume(returning: Crossing(value: $0)) }
    }
    return crossing.value
}

/// A value on its way from a handler to its waiter.
///
/// `@unchecked Sendable` because the value is confined to the handler that makes it, and then to the waiter.
private struct Crossing<Value>: @unchecked Sendable {
    let value: Value
}
