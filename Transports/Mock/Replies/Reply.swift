/// What a route answers: a response, a fault, or a rule that picks one of several.
///
/// ```swift
/// Reply.json(["ok": true]).header(.cacheControl, "max-age=60").delayed(by: .seconds(2))
/// Reply.sequence([.status(503), .fault(.reset(afterBytes: 10)), .text("at last")])
/// ```
///
/// A reply is a value without state: where a sequence stands is remembered by the transport that it is in.
public struct Reply: Sendable {
    typealias Modification = @Sendable (inout ReplyPlan) -> Void

    indirect enum Source: Sendable {
        case plan(ReplyPlan)
        case sequence(Identity, [Reply], then: SequenceEnd)
        case choice([(weight: Double, reply: Reply)])
        case handler(Route.Handler)
        case modified(Reply, Modification)
    }

    /// What a sequence does once all its replies have been given.
    public enum SequenceEnd: Sendable, Hashable {
        /// It gives the last one again and again.
        case repeatLast
        /// It begins anew.
        case startOver
        /// It fails the request with ``TransportError/Code/unmatchedRequest``.
        case fail
    }

    let source: Source

    init(_ source: Source) { self.source = source }

    init(_ plan: ReplyPlan) { source = .plan(plan) }

    // MARK: Rules

    /// First this, then that: one reply for each time that the route is asked.
    ///
    /// - Parameters:
    ///   - replies: The replies. With none of them the request fails.
    ///   - end: What follows the last one.
    public static func sequence(_ replies: [Reply], then end: SequenceEnd = .repeatLast) -> Reply {
        Reply(.sequence(Identity(), replies, then: end))
    }

    /// One of `replies`, drawn by the transport's seed, all as likely.
    public static func random(of replies: [Reply]) -> Reply {
        Reply(.choice(replies.map { (1, $0) }))
    }

    /// `reply` with a probability, and `other` in the rest of the cases; drawn by the transport's seed.
    ///
    /// - Parameters:
    ///   - probability: From 0, never, to 1, always.
    ///   - reply: What is given so often.
    ///   - other: What is given otherwise.
    public static func sometimes(_ probability: Double, _ reply: Reply, otherwise other: Reply) -> Reply {
        let share = probability.isNaN ? 0 : min(max(probability, 0), 1)
        return Reply(.choice([(share, reply), (1 - share, other)]))
    }

    /// What a closure answers once the request has arrived.
    ///
    /// A fault of connecting that it returns comes late: the exchange fails with it, but the events before it are those
    /// of a request that arrived.
    public static func handler(_ handler: @escaping Route.Handler) -> Reply {
        Reply(.handler(handler))
    }

    /// The reply with a change to whatever it comes to.
    func modified(_ change: @escaping Modification) -> Reply {
        guard case .plan(var plan) = source else { return Reply(.modified(self, change)) }
        change(&plan)
        return Reply(plan)
    }
}
