internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes

/// The progress of a response's body.
struct BodyProgress: Sendable {
    private enum Rest: Sendable {
        case chunks(ArraySlice<Data>)
        case stream(any ChunkSource)
    }

    let pace: Pace
    let fault: Fault?
    let trailers: HTTPFields?
    /// The length that the head announced.
    let announced: Int64?
    let isHTTP2: Bool
    /// The reason why the connection is closed after the body, or `nil` if it is kept.
    let closingReason: String?
    /// How long the body keeps its reader waiting before it begins.
    var delay: Duration
    /// The bytes that the caller got.
    private(set) var received: Int64 = 0
    /// When the bytes so far were due, at the body's pace.
    private(set) var due = MonotonicInstant(nanoseconds: .min)
    /// Bytes of a chunk that was begun.
    private var pending = Data()
    private var rest: Rest

    init(_ plan: ReplyPlan, delay: Duration, announced: Int64?, isHTTP2: Bool, closingReason: String?) {
        pace = plan.download
        fault = plan.fault.flatMap { $0.phase == .responseBody ? $0 : nil }
        trailers = plan.trailers
        self.delay = delay
        self.announced = announced
        self.isHTTP2 = isHTTP2
        self.closingReason = closingReason
        switch plan.body {
        case .data(let data): rest = .chunks([data])
        case .chunks(let chunks): rest = .chunks(chunks[...])
        case .stream(let make): rest = .stream(make())
        case .none, .file, .unusable: rest = .chunks([])
        }
    }

    /// Whether the fault is next.
    var isAtFault: Bool { fault.map { received >= $0.byteCount } ?? false }

    /// Whether all came that was announced.
    var isComplete: Bool { announced.map { received >= $0 } ?? false }

    /// Whether there is more than was announced.
    var hasExcess: Bool {
        guard pending.isEmpty else { return true }
        if case .chunks(let chunks) = rest { return chunks.contains { !$0.isEmpty } }
        return false
    }

    /// The user's source to ask for the next chunk; `nil` when there are bytes at hand, or none to come.
    mutating func sourceToAsk() -> (any ChunkSource)? {
        guard pending.isEmpty else { return nil }
        switch rest {
        case .stream(let source): return source
        case .chunks(var chunks):
            while pending.isEmpty, let chunk = chunks.popFirst() { pending = chunk }
            rest = .chunks(chunks)
            return nil
        }
    }

    /// Takes what a source brought.
    mutating func take(_ chunk: Data?) {
        if let chunk { pending = chunk } else { rest = .chunks([]) }
    }

    /// The next piece and the instant at which it is due; `nil` at the end.
    mutating func nextPiece(at now: MonotonicInstant) -> (Data, MonotonicInstant)? {
        guard !pending.isEmpty else { return nil }
        let untilFault = fault.map { $0.byteCount - received } ?? .max
        let untilEnd = announced.map { $0 - received } ?? .max
        let count = min(pace.chunkSize, Int(clamping: max(1, min(untilFault, untilEnd))))
        let piece = pending.prefix(count)
        pending = pending.count > piece.count ? pending.dropFirst(piece.count) : Data()
        received += Int64(piece.count)
        due = max(due, now).advanced(by: pace.duration(of: piece.count))
        // A copy starts at index 0; a slice might not.
        return (piece.startIndex == 0 ? piece : Data(piece), due)
    }
}
