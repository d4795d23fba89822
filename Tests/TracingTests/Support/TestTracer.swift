import InMemoryTracing
import Synchronization
import Testing
import Tracing

/// A tracer that keeps its spans in memory, propagates by W3C Trace Context, and counts how often each span is ended.
struct TestTracer: Tracer {
    let memory = InMemoryTracer(idGenerator: .w3c)
    let ends = EndCount()

    func startSpan<Instant: TracerInstant>(
        _ operationName: String,
        context: @autoclosure () -> ServiceContext,
        ofKind kind: SpanKind,
        at instant: @autoclosure () -> Instant,
        function: String,
        file fileID: String,
        line: UInt
    ) -> TestSpan {
        TestSpan(
            base: memory.startSpan(
                operationName,
                context: context(),
                ofKind: kind,
                at: instant(),
                function: function,
                file: fileID,
                line: line
            ),
            ends: ends
        )
    }

    func activeSpan(identifiedBy context: ServiceContext) -> TestSpan? {
        memory.activeSpan(identifiedBy: context).map { TestSpan(base: $0, ends: ends) }
    }

    func forceFlush() {}

    func inject<Carrier, Inject: Injector>(
        _ context: ServiceContext,
        into carrier: inout Carrier,
        using injector: Inject
    ) where Inject.Carrier == Carrier {
        guard let span = context.inMemorySpanContext else { return }
        injector.inject(traceparent(span.traceID, span.spanID), forKey: "traceparent", into: &carrier)
        injector.inject("test=1", forKey: "tracestate", into: &carrier)
    }

    func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier,
        into context: inout ServiceContext,
        using extractor: Extract
    ) where Extract.Carrier == Carrier {}

    /// All spans, in the order of their starts, once none is under way.
    func spans() async throws -> Trace {
        while !memory.activeSpans.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
        #expect(ends.values.allSatisfy { $0 == 1 }, "a span was ended more than once: \(ends.values)")
        return Trace(memory.finishedSpans)
    }

    /// Waits until a span of this name is under way.
    func waitForActive(_ name: String) async throws {
        while !memory.activeSpans.contains(where: { $0.operationName == name }) {
            try await Task.sleep(for: .milliseconds(1))
        }
    }
}

/// The field that a span's context becomes (W3C Trace Context §3.2).
func traceparent(_ traceID: String, _ spanID: String) -> String { "00-\(traceID)-\(spanID)-01" }

extension InMemoryTracer.IDGenerator {
    /// Identifiers of the lengths that `traceparent` wants.
    static var w3c: Self {
        let counter = Counter()
        return Self(
            nextTraceID: { String(repeating: "a", count: 16) + counter.next() },
            nextSpanID: { counter.next() }
        )
    }

    private final class Counter: Sendable {
        private let count = Atomic<UInt64>(1)

        /// A number in sixteen digits, and never the same one.
        func next() -> String {
            let digits = String(count.wrappingAdd(1, ordering: .relaxed).newValue, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
    }
}

/// How often each span was ended.
final class EndCount: Sendable {
    private let counts = Mutex<[String: Int]>([:])

    var values: [Int] { counts.withLock { Array($0.values) } }

    func note(_ spanID: String) { counts.withLock { $0[spanID, default: 0] += 1 } }
}

/// A span in memory that counts its ends.
struct TestSpan: Tracing.Span {
    let base: InMemorySpan
    let ends: EndCount

    var context: ServiceContext { base.context }
    var isRecording: Bool { base.isRecording }

    var operationName: String {
        get { base.operationName }
        nonmutating set { base.operationName = newValue }
    }

    var attributes: SpanAttributes {
        get { base.attributes }
        nonmutating set { base.attributes = newValue }
    }

    func setStatus(_ status: SpanStatus) { base.setStatus(status) }
    func addEvent(_ event: SpanEvent) { base.addEvent(event) }
    func addLink(_ link: SpanLink) { base.addLink(link) }

    func recordError<Instant: TracerInstant>(
        _ error: any Error,
        attributes: SpanAttributes,
        at instant: @autoclosure () -> Instant
    ) {
        base.recordError(error, attributes: attributes, at: instant())
    }

    func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
        ends.note(base.spanID)
        base.end(at: instant())
    }
}
