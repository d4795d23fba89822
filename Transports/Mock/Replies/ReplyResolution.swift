internal import AirframeTransport

/// The resolved form of a reply.
enum ResolvedReply: Sendable {
    /// This value.
    case plan(ReplyPlan)
    /// The closure's answer with these changes, applied in order.
    case handler(Route.Handler, [Reply.Modification])
    /// Nothing, because a sequence is used up; the reason in words.
    case exhausted(String)
}

/// The positions of the sequences of one transport.
struct SequencePositions: Sendable {
    private var positions: [Identity: Int] = [:]

    /// Resolves sequences and choices to a response or a closure.
    mutating func resolve(_ reply: Reply, using generator: inout SeededGenerator) -> ResolvedReply {
        var reply = reply
        var changes: [Reply.Modification] = []
        while true {
            switch reply.source {
            case .plan(var plan):
                for change in changes { change(&plan) }
                return .plan(plan)
            case .handler(let handler): return .handler(handler, changes)
            case .modified(let inner, let change):
                changes.insert(change, at: 0)
                reply = inner
            case .sequence(let identity, let replies, let end):
                guard let next = advance(identity, replies, end) else {
                    return .exhausted("the sequence of \(replies.count) replies is used up")
                }
                reply = next
            case .choice(let options):
                guard let drawn = Self.draw(from: options, using: &generator) else {
                    return .exhausted("there is no reply to draw from")
                }
                reply = drawn
            }
        }
    }

    private mutating func advance(_ identity: Identity, _ replies: [Reply], _ end: Reply.SequenceEnd) -> Reply? {
        let position = positions[identity] ?? 0
        positions[identity] = position + 1
        guard position >= replies.count else { return replies[position] }
        switch end {
        case .repeatLast: return replies.last
        case .startOver: return replies.isEmpty ? nil : replies[position % replies.count]
        case .fail: return nil
        }
    }

    private static func draw(
        from options: [(weight: Double, reply: Reply)],
        using generator: inout SeededGenerator
    ) -> Reply? {
        let total = options.reduce(0) { $0 + $1.weight }
        guard total > 0 else { return options.last?.reply }
        var point = Double.random(in: 0..<total, using: &generator)
        for option in options {
            if point < option.weight { return option.reply }
            point -= option.weight
        }
        return options.last?.reply
    }
}
