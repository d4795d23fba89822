/// Up to four types, the most recent ones.
struct RecentTypes {
    private var first: ObjectIdentifier?
    private var second: ObjectIdentifier?
    private var third: ObjectIdentifier?
    private var fourth: ObjectIdentifier?

    func contains(_ type: ObjectIdentifier) -> Bool {
        type == first || type == second || type == third || type == fourth
    }

    mutating func append(_ type: ObjectIdentifier) {
        (first, second, third, fourth) = (type, first, second, third)
    }
}
