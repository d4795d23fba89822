internal import AirframeTransport
internal import Foundation
internal import HTTPTypes
internal import Tracing

// What things are called in traces. Names are few: backends group by them.

extension HTTPRequest {
    /// The name of an exchange's span: the method, and the template if there is one.
    func spanName(template: String?) -> String {
        let verb = method.conventionalName == Method.otherName ? "HTTP" : method.rawValue
        return template.map { "\(verb) \($0)" } ?? verb
    }

    /// The URL that the head is for, as text.
    var fullURL: String { "\(scheme ?? "http")://\(authority ?? "")\(path ?? "/")" }
}

extension Tracing.Span {
    /// Records an error as the reason why what the span stands for failed.
    func fail(with error: any Error, type: String, at instant: DefaultTracerClock.Timestamp) {
        guard isRecording else { return }
        recordError(error, attributes: [:], at: instant)
        updateAttributes { $0["error.type"] = type }
        setStatus(SpanStatus(code: .error, message: error.localizedDescription))
    }
}
