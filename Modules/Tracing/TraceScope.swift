internal import AirframeTransport
internal import HTTPTypes
internal import Tracing

/// The parent of new spans: the current span of a task, and the tracer.
///
/// Both may be task-local values, so they are read in the task that creates the request.
struct TraceScope: Sendable {
    let tracer: any Tracer
    /// The propagator of the context: more than the tracer if several instruments were combined.
    let instrument: any Instrument
    let parent: ServiceContext

    /// Returns the scope of the current task.
    ///
    /// - Parameter tracer: An explicit tracer; `nil` for that of the task or the process.
    static func current(_ tracer: (any Tracer)?) -> TraceScope {
        TraceScope(
            tracer: tracer ?? InstrumentationSystem.tracer,
            instrument: tracer ?? InstrumentationSystem.instrument,
            parent: ServiceContext.current ?? .topLevel
        )
    }
}

/// Writes a context to the fields of a head, each name once (W3C Trace Context §3.2 and §3.3 have one field each).
struct FieldInjector: Injector {
    func inject(_ value: String, forKey key: String, into fields: inout HTTPFields) {
        guard let name = HTTPField.Name(key) else { return }
        fields[name] = value
    }
}
