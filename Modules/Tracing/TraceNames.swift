internal import AirframeTransport
internal import Foundation
internal import HTTPTypes
internal import Tracing

// Names in traces. There are few of them, because back ends group by them.

extension HTTPRequest {
    /// The name of an exchange's span: the method, with the template if there is one.
    func spanName(template: String?) -> String {
        let verb = method.conventionalName == Method.otherName ? "HTTP" : method.rawValue
        return template.map { "\(verb) \($0)" } ?? verb
    }

    /// The URL of the head as text.
    var fullURL: String { "\(scheme ?? "http")://\(authority ?? "")\(path ?? "/")" }
}

extension Tracing.Span {
    /// Records an error as the reason of the span's failure.
    func fail(with error: any Error, type: String, at instant: DefaultTracerClock.Timestamp) {
        guard isRecording else { return }
        recordError(error, attributes: [:], at: instant)
        updateAttributes { $0["error.type"] = type }
        setStatus(SpanStatus(code: .error, message: error.localizedDescription))
    }
}
