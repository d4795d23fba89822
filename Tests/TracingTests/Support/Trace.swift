import Foundation
import InMemoryTracing
import Testing
import Tracing

/// Finished spans, to be asked questions.
struct Trace {
    let spans: [FinishedInMemorySpan]

    /// - Parameter spans: The spans in any order; they are sorted by their identifiers, which rise.
    init(_ spans: [FinishedInMemorySpan]) { self.spans = spans.sorted { $0.spanID < $1.spanID } }

    /// The spans around requests.
    var requests: [FinishedInMemorySpan] { spans.filter { $0.operationName == "HTTP request" } }
    /// The spans of attempts.
    var attempts: [FinishedInMemorySpan] { spans.filter { $0.kind == .client } }

    func named(_ name: String) -> [FinishedInMemorySpan] { spans.filter { $0.operationName == name } }

    func children(of span: FinishedInMemorySpan) -> [FinishedInMemorySpan] {
        spans.filter { $0.parentSpanID == span.spanID }
    }

    /// Expects that every span begins and ends within its parent.
    func expectNesting(sourceLocation: SourceLocation = #_sourceLocation) {
        for span in spans {
            #expect(
                span.start <= span.end, "\(span.operationName) ends before it begins", sourceLocation: sourceLocation)
            guard let parent = spans.first(where: { $0.spanID == span.parentSpanID }) else { continue }
            #expect(
                parent.start <= span.start && span.end <= parent.end,
                """
                \(span.operationName) \(span.start)...\(span.end) is not within \
                \(parent.operationName) \(parent.start)...\(parent.end)
                """,
                sourceLocation: sourceLocation
            )
        }
    }
}

extension FinishedInMemorySpan {
    /// Nanoseconds since 1970.
    var start: UInt64 { startInstant.nanosecondsSinceEpoch }
    var end: UInt64 { endInstant.nanosecondsSinceEpoch }
    var duration: Duration { .nanoseconds(Int64(end) - Int64(start)) }

    /// The span's context as it is sent.
    var traceparent: String { TracingTests.traceparent(traceID, spanID) }

    /// All texts of the span: its name, status, attributes, events and errors.
    var texts: [String] {
        var texts = [operationName, status?.message ?? ""]
        attributes.forEach { texts.append("\($0) \($1)") }
        for event in events { event.attributes.forEach { texts.append("\(event.name) \($0) \($1)") } }
        for error in errors { texts += ["\(error.error)", error.error.localizedDescription] }
        return texts
    }

    subscript(_ name: String) -> SpanAttribute? { attributes.get(name) }
}
