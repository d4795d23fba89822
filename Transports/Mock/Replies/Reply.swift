/// The answer of a route: a response, a fault, or a rule that picks one of several.
///
/// ```swift
/// Reply.json(["ok": true]).header(.cacheControl, "max-age=60").delayed(by: .seconds(2))
/// Reply.sequence([.status(503), .fault(.reset(afterBytes: 10)), .text("at last")])
/// ```
///
/// A reply is a value without state. The transport stores the position of a sequence.
public struct Reply: Sendable {
    typealias Modification = @Sendable (inout ReplyPlan) -> Void

    indirect enum Source: Sendable {
        case plan(ReplyPlan)
        case sequence(Identity, [Reply], then: SequenceEnd)
        case choice([(weight: Double, reply: Reply)])
        case handler(Route.Handler)
        case modified(Reply, Modification)
    }

    /// The behaviour of a sequence after its last reply.
    public enum SequenceEnd: Sendable, Hashable {
        /// The last reply is repeated.
        case repeatLast
        /// The sequence starts over.
        case startOver
        /// The request fails with ``TransportError/Code/unmatchedRequest``.
        case fail
    }

    let source: Source

    init(_ source: Source) { self.source = source }

    init(_ plan: ReplyPlan) { source = .plan(plan) }

    // MARK: Rules

    /// Returns a sequence of replies, one for each request to the route.
    ///
    /// - Parameters:
    ///   - replies: The replies. Without one the request fails.
    ///   - end: The behaviour after the last one.
    public static func sequence(_ replies: [Reply], then end: SequenceEnd = .repeatLast) -> Reply {
        Reply(.sequence(Identity(), replies, then: end))
    }

    /// Returns one of `replies` with equal probability, drawn by the transport's seed.
    public static func random(of replies: [Reply]) -> Reply {
        Reply(.choice(replies.map { (1, $0) }))
    }

    /// Returns `reply` with a probability and `other` otherwise, drawn by the transport's seed.
    ///
    /// - Parameters:
    ///   - probability: From 0, never, to 1, always.
    ///   - reply: The reply with that probability.
    ///   - other: The reply in all other cases.
    public static func sometimes(_ probability: Double, _ reply: Reply, otherwise other: Reply) -> Reply {
        let share = probability.isNaN ? 0 : min(max(probability, 0), 1)
        return Reply(.choice([(share, reply), (1 - share, other)]))
    }

    /// Returns the reply of a closure, which is called when the request has arrived.
    ///
    /// If it returns a fault of connecting, the exchange fails with it, but the events before it are those of a request
    /// that has arrived.
    public static func handler(_ handler: @escaping Route.Handler) -> Reply {
        Reply(.handler(handler))
    }

    /// Returns the reply with a change to its final plan.
    func modified(_ change: @escaping Modification) -> Reply {
        guard case .plan(var plan) = source else { return Reply(.modified(self, change)) }
        change(&plan)
        return Reply(plan)
    }
}
