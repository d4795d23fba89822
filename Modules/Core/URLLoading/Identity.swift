// Identity as equality, which Foundation's classes of these names inherit from NSObject, so that tasks and metrics can
// be stored in sets and dictionaries.

extension URLSessionTask: Hashable {
    /// Whether both are the same task.
    public static func == (left: URLSessionTask, right: URLSessionTask) -> Bool { left === right }

    /// Hashes the task's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(taskIdentifier) }
}

extension URLSessionTaskMetrics: Hashable {
    /// Whether both are the same object.
    public static func == (left: URLSessionTaskMetrics, right: URLSessionTaskMetrics) -> Bool { left === right }

    /// Hashes the object's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension URLSessionTaskTransactionMetrics: Hashable {
    /// Whether both are the same object.
    public static func == (left: URLSessionTaskTransactionMetrics, right: URLSessionTaskTransactionMetrics) -> Bool {
        left === right
    }

    /// Hashes the object's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension URLSessionConfiguration: Hashable {
    /// Whether both are the same object.
    public static func == (left: URLSessionConfiguration, right: URLSessionConfiguration) -> Bool { left === right }

    /// Hashes the object's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
