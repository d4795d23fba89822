public import Testing

extension Trait where Self == ConditionTrait {
    /// Runs only if the peers are available or required.
    public static var needsPeers: Self {
        .enabled(if: Peers.areExpected, "AIRFRAME_PEERS names no running peers (Tests/Peers/peers start DIR)")
    }
}
