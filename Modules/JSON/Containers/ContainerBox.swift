internal import FoundationEssentials

/// The boxes that the standard library's keyed containers consist of.
///
/// A `KeyedDecodingContainer` and a `KeyedEncodingContainer` are references to an object that holds the container
/// proper. The standard library does not promise that, so it is checked once per process. If the check fails, each
/// object gets a separate container.
enum ContainerBox {
    /// Whether a `KeyedDecodingContainer` is a reference to its box and nothing else.
    static let isWholeOfDecodingContainer: Bool = {
        guard let document = JSONDocument(Data("{}".utf8), options: FastJSONDecoder()) else { return false }
        return isWhole(
            of: KeyedDecodingContainer(JSONKeyedContainer<JSONKey>(document: document, place: .fixed(0))))
    }()

    /// Whether a `KeyedEncodingContainer` is a reference to its box and nothing else.
    static let isWholeOfEncodingContainer: Bool = {
        guard let writer = JSONWriter(FastJSONEncoder()) else { return false }
        return isWhole(
            of: KeyedEncodingContainer(JSONKeyedEncodingContainer<JSONKey>(writer: writer, place: .fixed(.complete))))
    }()

    private static func isWhole<Container>(of container: Container) -> Bool {
        let parts = Mirror(reflecting: container).children
        guard MemoryLayout<Container>.size == MemoryLayout<AnyObject>.size, parts.count == 1,
            let box = parts.first?.value, type(of: box) is AnyObject.Type
        else { return false }
        return unsafeBitCast(container, to: AnyObject.self) === box as AnyObject
    }
}

// To return a container of generic keys, the runtime looks up the container's type, to copy it: 330 instructions. The
// functions below are therefore compiled for `JSONKey`, whose container's type is looked up once per process, and
// called for any keys. Both kinds of function return their container in the same way, through the caller's memory.

extension KeyedDecodingContainer {
    /// Creates a container from its box.
    init(box: AnyObject) {
        let known: (AnyObject) -> KeyedDecodingContainer<JSONKey> = {
            unsafeBitCast($0, to: KeyedDecodingContainer<JSONKey>.self)
        }
        self = unsafeBitCast(known, to: ((AnyObject) -> KeyedDecodingContainer).self)(box)
    }

    /// The container's box.
    var box: AnyObject { unsafeBitCast(self, to: AnyObject.self) }
}

extension KeyedEncodingContainer {
    /// Creates a container from its box.
    init(box: AnyObject) {
        let known: (AnyObject) -> KeyedEncodingContainer<JSONKey> = {
            unsafeBitCast($0, to: KeyedEncodingContainer<JSONKey>.self)
        }
        self = unsafeBitCast(known, to: ((AnyObject) -> KeyedEncodingContainer).self)(box)
    }

    /// The container's box.
    var box: AnyObject { unsafeBitCast(self, to: AnyObject.self) }
}
