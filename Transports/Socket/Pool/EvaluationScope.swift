/// Marks the tasks of trust evaluations.
enum EvaluationScope {
    /// The pool whose permit the handshake holds that waits for the evaluation. `nil` outside of evaluations.
    @TaskLocal static var pool: ConnectionPool?
}
