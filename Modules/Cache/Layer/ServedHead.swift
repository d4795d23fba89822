internal import AirframeTransport
internal import HTTPTypes
internal import Synchronization

/// The heads of responses that are served from the store.
enum ServedHead {
    /// The stored head with its `Age` (RFC 9111 §5.1).
    static func whole(_ entry: CacheEntry, age: Double) -> HTTPResponse {
        var head = entry.head
        head.headerFields[.age] = "\(seconds(age))"
        return head
    }

    /// An age as `Age` gives it.
    static func seconds(_ age: Double) -> Int { Int(max(0, min(age, Double(DeltaSeconds.limit)))) }

    /// A 206 with a part of the stored content (RFC 9110 §15.3.7).
    static func part(_ entry: CacheEntry, _ range: ContentRange, length: Int, age: Double) -> HTTPResponse {
        var head = whole(entry, age: age)
        head.status = .partialContent
        head.headerFields[.contentRange] = range.text
        head.headerFields[.contentLength] = "\(length)"
        return head
    }

    /// A 304 with the fields that update the client's copy (RFC 9110 §15.4.5).
    static func notModified(_ entry: CacheEntry, age: Double) -> HTTPResponse {
        let whole = whole(entry, age: age)
        var head = HTTPResponse(status: .notModified)
        for field in whole.headerFields where !isOfContent(field.name) { head.headerFields.append(field) }
        return head
    }

    private static func isOfContent(_ name: HTTPField.Name) -> Bool {
        [.contentLength, .contentRange, .contentEncoding, .contentType].contains(name)
    }
}

/// The head that a stored response was last served with. It is the same as long as the response's age in whole seconds
/// is: adding `Age` copies all fields, 2,900 instructions, and layers remember what they found in a shared head.
final class AgedHead: Sendable {
    private struct Served {
        let age: Int
        let head: SharedResponseHead
    }

    // Guards the head.
    private let served = Mutex<Served?>(nil)

    /// Returns the head of `entry`, which this belongs to, with its `Age`.
    func head(of entry: CacheEntry, age: Double) -> SharedResponseHead {
        let seconds = ServedHead.seconds(age)
        if let known = served.withLock({ $0?.age == seconds ? $0?.head : nil }) { return known }
        let head = SharedResponseHead(ServedHead.whole(entry, age: age))
        served.withLock { $0 = Served(age: seconds, head: head) }
        return head
    }
}
