/// Elements in order, of which there is rarely more than one: the first needs no memory of its own.
///
/// Most requests have one `URLRequest`, one task, one handler. An array for each is as many allocations.
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

extension Series: Sendable where Element: Sendable {}
