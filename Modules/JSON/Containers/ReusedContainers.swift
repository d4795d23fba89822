/// Keyed containers that serve one object after another, for one decoding or encoding.
///
/// To create a container, the runtime looks up its type and that of the standard library's box around it, and allocates
/// the box: 890 of the 4,770 instructions that an object of three members took to decode. Most containers are released
/// before the next object with the same keys begins. So the box is kept, and used again unless somebody else has a
/// reference to it: an outer object of the same type, or a value that keeps its container (Docs/Decisions/0141).
struct ReusedContainers<Place> {
    /// A container that is kept.
    private struct Entry {
        /// The type of the container's keys.
        let keys: ObjectIdentifier
        /// Where the container reads or writes.
        var place: Place
        /// The only reference that a `KeyedDecodingContainer` or a `KeyedEncodingContainer` consists of. Optional,
        /// because the compiler makes a copy of an `AnyObject` to ask for references to it, and then finds two.
        var box: AnyObject?
    }

    private static var capacity: Int { 16 }

    private var entries: [Entry] = []

    /// Whether the next container can be kept.
    var hasRoom: Bool { entries.count < Self.capacity }

    /// The slot of the next container that is kept.
    var nextSlot: Int { entries.count }

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

    /// Keeps a container for the next slot.
    mutating func append(_ box: AnyObject, keyedBy keys: ObjectIdentifier, at place: Place) {
        if entries.isEmpty { entries.reserveCapacity(4) }
        entries.append(Entry(keys: keys, place: place, box: box))
    }

    /// Releases all containers, which keep what they read or write. Their places stay known.
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
