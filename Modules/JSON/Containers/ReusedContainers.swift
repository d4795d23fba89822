/// Keyed containers that serve one object after another, for one decoding or encoding.
///
/// To create a container, the runtime looks up its type and that of the standard library's box around it, and allocates
/// the box: 890 of the 4,770 instructions that an object of three members took to decode. Most containers are released
/// before the next object with the same keys begins. So the box is kept, and used again unless another reference to it
/// exists: that of an outer object of the same type, or of a value that keeps its container (Docs/Decisions/0141).
struct ReusedContainers<Place> {
    /// A container that is kept.
    private struct Entry {
        /// The type of the container's keys.
        let keys: ObjectIdentifier
        /// Where the container reads or writes.
        var place: Place
        /// The only reference that a `KeyedDecodingContainer` or a `KeyedEncodingContainer` consists of. For a plain
        /// `AnyObject`, the compiler passes a copy to `isKnownUniquelyReferenced`, which then counts two references.
        var box: AnyObject?
    }

    private static var capacity: Int { 16 }

    private var entries: [Entry] = []

    /// The number of containers that are kept.
    var count: Int { entries.count }

    /// Returns where the container in a slot reads or writes.
    func place(of slot: Int) -> Place { entries[slot].place }

    /// Returns the box of a container that nobody uses, which from now on reads or writes at `place`.
    mutating func reuse(keyedBy keys: ObjectIdentifier, at place: Place) -> AnyObject? {
        for slot in entries.indices where entries[slot].keys == keys {
            guard isKnownUniquelyReferenced(&entries[slot].box) else { continue }
            entries[slot].place = place
            return entries[slot].box
        }
        return nil
    }

    /// Returns the slot for a new container; `nil` if all are in use.
    mutating func freeSlot() -> Int? {
        if entries.count < Self.capacity { return entries.count }
        return entries.indices.first { isKnownUniquelyReferenced(&entries[$0].box) }
    }

    /// Keeps a container in a free slot.
    mutating func keep(_ box: AnyObject, in slot: Int, keyedBy keys: ObjectIdentifier, at place: Place) {
        let entry = Entry(keys: keys, place: place, box: box)
        if slot < entries.count {
            entries[slot] = entry
        } else {
            if entries.isEmpty { entries.reserveCapacity(4) }
            entries.append(entry)
        }
    }

    /// Releases the boxes, which retain the document or the writer. The places remain, for containers that values keep.
    mutating func releaseAll() {
        for slot in entries.indices { entries[slot].box = nil }
    }
}

/// Where a keyed container reads or writes.
enum ContainerPlace<Place> {
    /// At this place, always.
    case fixed(Place)
    /// At the place of this slot of ``ReusedContainers``.
    case slot(Int)
}
