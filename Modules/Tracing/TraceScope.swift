internal import AirframeTransport
internal import HTTPTypes
internal import Tracing

/// Where a trace goes on from: the span that is current in a task, and who makes the next ones.
///
/// Both may be values of the task, so that they are taken where the request is made and kept.
struct TraceScope: Sendable {
    let tracer: any Tracer
    /// Who writes the context into heads: more than the tracer, where instruments were put together.
    let instrument: any Instrument
    let parent: ServiceContext

    /// The scope of the current task.
    ///
    /// - Parameter tracer: The tracer that was named; `nil` for that of the task or the process.
    static func current(_ tracer: (any Tracer)?) -> TraceScope {
        TraceScope(
            tracer: tracer ?? InstrumentationSystem.tracer,
            instrument: tracer ?? InstrumentationSystem.instrument,
            parent: ServiceContext.current ?? .topLevel
        )
    }
}

/// Writes a context into the fields of a head, each name once (W3C Trace Context §3.2 and §3.3 have one field each).
struct FieldInjector: Injector {
    func inject(_ value: String, forKey key: String, into fields: inout HTTPFields) {
        guard let name = HTTPField.Name(key) else { return }
        fields[name] = value
    }
}
