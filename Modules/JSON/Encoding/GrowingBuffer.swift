/// A growable buffer with one owner. Appending needs no uniqueness check, unlike an array's.
struct GrowingBuffer<Element: BitwiseCopyable>: ~Copyable {
    private var elements: UnsafeMutablePointer<Element>
    private var capacity: Int
    private(set) var count = 0

    /// - Parameter capacity: The number of elements for which there is room at first.
    init(capacity: Int) {
        self.capacity = capacity
        elements = .allocate(capacity: capacity)
    }

    deinit { elements.deallocate() }

    /// The elements. The pointer is valid until the next change.
    var all: UnsafeBufferPointer<Element> { UnsafeBufferPointer(start: elements, count: count) }

    subscript(_ index: Int) -> Element {
        get {
            precondition(index >= 0 && index < count)
            return elements[index]
        }
        set {
            precondition(index >= 0 && index < count)
            elements[index] = newValue
        }
    }

    @inline(__always)
    mutating func append(_ element: Element) {
        if count == capacity { grow(by: 1) }
        (elements + count).initialize(to: element)
        count &+= 1
    }

    mutating func append(contentsOf other: UnsafeBufferPointer<Element>) {
        guard let start = other.baseAddress else { return }
        reserve(other.count)
        (elements + count).initialize(from: start, count: other.count)
        count &+= other.count
    }

    /// Appends the elements that `write` initializes.
    ///
    /// - Parameters:
    ///   - maximum: The number of elements for which there has to be room.
    ///   - write: Receives memory for `maximum` elements, and returns how many it has initialized.
    @inline(__always)
    mutating func append(upTo maximum: Int, _ write: (UnsafeMutablePointer<Element>) -> Int) {
        reserve(maximum)
        let written = write(elements + count)
        precondition(written >= 0 && written <= maximum)
        count &+= written
    }

    mutating func removeLast() {
        precondition(count > 0)
        count &-= 1
    }

    /// Removes all elements from `index` on.
    mutating func removeAll(from index: Int) {
        precondition(index >= 0 && index <= count)
        count = index
    }

    @inline(__always)
    private mutating func reserve(_ additional: Int) {
        if capacity &- count < additional { grow(by: additional) }
    }

    @inline(never)
    private mutating func grow(by additional: Int) {
        capacity = max(capacity * 2, count + additional)
        let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
        larger.moveInitialize(from: elements, count: count)
        elements.deallocate()
        elements = larger
    }
}

extension GrowingBuffer<UInt8> {
    /// Appends text in ASCII.
    @inline(__always)
    mutating func append(_ text: StaticString) {
        append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
}
