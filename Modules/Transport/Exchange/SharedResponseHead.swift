public import HTTPTypes
internal import Synchronization

/// A response's head, shared by response, timeline and the memory of the connection. Copying an `HTTPResponse` retains
/// three objects; copying this reference retains one.
///
/// The values of some fields may be pending: an engine that recognizes a head except for a few values gives their
/// bytes, and the fields are made when the head is read. A field costs 1,500 instructions to make, and most programs
/// read none of the fields that change with every response, such as a request number.
///
/// `@unchecked Sendable`: it is immutable while it is shared. Only its sole owner revises it.
@usableFromInline
package final class SharedResponseHead: @unchecked Sendable {
    /// A head with the same status and the same field names. Its values are the head's, unless they are pending.
    @exclusivity(unchecked) package private(set) var known: HTTPResponse
    /// The status code, which `HTTPResponse` stores as text.
    package let statusCode: Int
    @exclusivity(unchecked) private var pending: PendingFields?
    // Guards the head that is made on demand.
    private let made = Mutex<HTTPResponse?>(nil)
    private let presence: FieldPresence
    /// The length that the head declares, once it has been read.
    private let declaredLength: Atomic<Int64>

    /// Shares `head`.
    @usableFromInline
    package convenience init(_ head: HTTPResponse) { self.init(head, statusCode: head.status.code) }

    /// Shares `head`, whose status code the caller has parsed already.
    package init(_ head: HTTPResponse, statusCode: Int) {
        known = head
        self.statusCode = statusCode
        pending = nil
        presence = FieldPresence()
        declaredLength = Atomic(.min)
    }

    /// Shares a head whose fields differ from those of `head` in some values.
    ///
    /// - Parameters:
    ///   - head: The head before.
    ///   - text: The lines of the new head (RFC 9112 §5): the status line, then one line a field.
    ///   - ends: The end of each line in `text`.
    ///   - changed: The lines that differ, in ascending order. Their values are ASCII without control bytes. Their
    ///     fields do not frame the message.
    package init(revising head: SharedResponseHead, text: [UInt8], ends: [Int], at changed: [Int]) {
        let unread = head.unreadLines
        known = unread == nil ? head.head : head.known
        statusCode = head.statusCode
        pending = PendingFields(text: text, ends: ends, lines: unread.map(changed.union) ?? changed)
        presence = FieldPresence(head.presence)
        declaredLength = Atomic(head.declaredLength.load(ordering: .relaxed))
    }

    /// Prepares the head for ``revise(text:ends:at:)`` by its sole owner: it no longer shares the lines.
    package func beginRevision() {
        guard pending != nil else { return }
        if let head = made.withLock({ $0.take() }) {
            known = head
            pending = nil
        } else {
            pending?.text = []
            pending?.ends = []
        }
    }

    /// Changes the head in place, as the initializer of a revised one does. Allocating another took 900 instructions.
    package func revise(text: [UInt8], ends: [Int], at changed: [Int]) {
        let lines = pending.map { changed.union(with: $0.lines) } ?? changed
        pending = PendingFields(text: text, ends: ends, lines: lines)
    }

    /// Status and header fields.
    package var head: HTTPResponse {
        guard let pending else { return known }
        return made.withLock { made in
            if let made { return made }
            let head = pending.applied(to: known)
            made = head
            return head
        }
    }

    /// The lines of the fields that are pending, unless the head has been read since.
    private var unreadLines: [Int]? {
        guard let lines = pending?.lines else { return nil }
        return made.withLock { made in if case .none = made { true } else { false } } ? lines : nil
    }

    /// Returns whether there is such a field.
    package func has(_ field: WellKnownField) -> Bool { presence.has(field, in: known.headerFields) }

    /// Returns the length that `Content-Length` declares, as `parse` reads it. Parsed once for all heads of a
    /// connection that differ in other values only, since the fields that frame a message are never pending.
    package func declaredLength(_ parse: (HTTPFields) -> Int64) -> Int64 {
        let known = declaredLength.load(ordering: .relaxed)
        guard known == .min else { return known }
        let length = parse(self.known.headerFields)
        declaredLength.store(length, ordering: .relaxed)
        return length
    }
}

/// Fields of a head whose values are known as bytes only.
private struct PendingFields: Sendable {
    /// The lines of the head.
    var text: [UInt8]
    /// The end of each line in `text`.
    var ends: [Int]
    /// The lines of the pending fields, in ascending order.
    let lines: [Int]

    /// Returns `head` with the values of the pending fields.
    func applied(to head: HTTPResponse) -> HTTPResponse {
        var head = head
        for line in lines where line > 0 && line < ends.count && line <= head.headerFields.count {
            let name = head.headerFields[line - 1].name
            head.headerFields[line - 1] = HTTPField(name: name, value: value(of: line))
        }
        return head
    }

    /// Returns the value of a line: the bytes after the colon, without the white space around them.
    private func value(of line: Int) -> String {
        text.withUnsafeBytes { text in
            var (start, end) = (ends[line - 1], ends[line])
            while start < end, text[start] != UInt8(ascii: ":") { start += 1 }
            start = min(start + 1, end)
            while start < end, text[start] <= UInt8(ascii: " ") { start += 1 }
            while end > start, text[end - 1] <= UInt8(ascii: " ") { end -= 1 }
            return String(decoding: UnsafeRawBufferPointer(rebasing: text[start..<end]), as: UTF8.self)
        }
    }
}

extension [Int] {
    /// Returns the numbers in either array, in ascending order.
    fileprivate func union(with other: [Int]) -> [Int] {
        // A field that changes with every response is pending already.
        allSatisfy(other.contains) ? other : Set(self).union(other).sorted()
    }
}

extension SharedResponseHead: Equatable {
    /// Whether status and fields are equal.
    @usableFromInline
    package static func == (left: SharedResponseHead, right: SharedResponseHead) -> Bool {
        left === right || left.head == right.head
    }
}
