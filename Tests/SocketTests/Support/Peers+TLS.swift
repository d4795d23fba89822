import AirframeTestSupport
import Testing

extension Trait where Self == ConditionTrait {
    /// Runs only where the peers are, or must be.
    static var needsPeers: Self {
        .enabled(if: Peers.areExpected, "AIRFRAME_PEERS names no running peers (Tests/Peers/peers start DIR)")
    }
}
