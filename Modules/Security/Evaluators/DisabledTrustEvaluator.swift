public import AirframeCore

/// Trusts every server. For debugging only: any attacker on the path can read and change everything.
public final class DisabledTrustEvaluator: ServerTrustEvaluating {
    /// Creates an evaluator.
    public init() {}

    /// It trusts every server at any time.
    public var answerCanChange: Bool { false }

    /// Does nothing.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {}
}

extension DisabledTrustEvaluator: UnauthenticatedTrustEvaluating {}

/// Alamofire's former name.
@available(*, deprecated, renamed: "DisabledTrustEvaluator")
public typealias DisabledEvaluator = DisabledTrustEvaluator
