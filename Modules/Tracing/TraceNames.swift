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
    /// Records an error, without the secrets in its texts, as the reason of the span's failure.
    func fail(
        with error: any Error,
        type: String,
        at instant: DefaultTracerClock.Timestamp,
        by redaction: RedactionPolicy
    ) {
        guard isRecording else { return }
        let recorded = RecordedError(error, by: redaction)
        // Tracers derive the type from the error, and here it would be that of the copy.
        let kind = String(describing: Swift.type(of: error))
        recordError(recorded, attributes: ["exception.type": .string(kind)], at: instant)
        updateAttributes { $0["error.type"] = type }
        setStatus(SpanStatus(code: .error, message: recorded.localizedDescription))
    }
}

/// The texts of an error without their secrets.
private struct RecordedError: LocalizedError, CustomStringConvertible {
    let description: String
    let errorDescription: String?

    init(_ error: any Error, by redaction: RedactionPolicy) {
        description = redaction.sentence("\(error)")
        errorDescription = redaction.sentence(error.localizedDescription)
    }
}
