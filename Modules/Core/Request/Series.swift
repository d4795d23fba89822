/// A collection whose first element needs no allocation.
///
/// Most requests have one `URLRequest`, one task and one handler; an array of each is one allocation more.
struct Series<Element> {
    private var head: Element?
    private var others: [Element] = []

    /// No elements.
    init() {}

    mutating func append(_ element: Element) {
        if head == nil { head = element } else { others.append(element) }
    }

    mutating func removeAll() { self = Series() }
}

extension Series: RandomAccessCollection {
    var startIndex: Int { 0 }
    var endIndex: Int { head == nil ? 0 : 1 + others.count }
    var first: Element? { head }
    var last: Element? { others.isEmpty ? head : others.last }

    subscript(position: Int) -> Element {
        if position == 0, let head { return head }
        return others[position - 1]
    }
}

/// A call to make later, in a ``Series``.
///
/// A structure, because a generic container stores a closure in a general form, and wraps it in another closure, which
/// is an allocation, when it is added and each time it is read (Docs/Decisions/0107-stages-look-before-they-wait.md).
struct DeferredCall: Sendable {
    private let call: @Sendable () -> Void

    init(_ call: @escaping @Sendable () -> Void) { self.call = call }

    func callAsFunction() { call() }
}

extension Series: Sendable where Element: Sendable {}
