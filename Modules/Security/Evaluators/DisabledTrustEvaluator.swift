public import AirframeCore

/// Trusts every server. For debugging only: whoever is on the way can read and change everything.
public final class DisabledTrustEvaluator: ServerTrustEvaluating {
    /// Makes an evaluator.
    public init() {}

    /// It trusts every server at any time.
    public var answerCanChange: Bool { false }

    /// Looks at nothing.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {}
}

extension DisabledTrustEvaluator: UnauthenticatedTrustEvaluating {}

/// The name that Alamofire used before.
@available(*, deprecated, renamed: "DisabledTrustEvaluator")
public typealias DisabledEvaluator = DisabledTrustEvaluator
