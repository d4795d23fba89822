internal import FoundationEssentials

/// The writer of the text of one value.
///
/// The text grows at its end only. A frame on a stack stands for each value that is open; writing to a frame completes
/// the frames above it. A write to a frame that is complete has no place in the text: it ends the attempt, and
/// `JSONEncoder` encodes the value.
///
/// A class, because encoders and containers share it. It is confined to one encoding, and none of its methods calls
/// foreign code while it changes a property. The run time's own check of that would be a third of the encoding's
/// instructions.
final class JSONWriter {
    /// `JSONEncoder` fails for values that are nested 512 levels deep. A few of them may have no frame.
    private static let maximumDepth = 500

    let options: FastJSONEncoder
    let convertsToSnakeCase: Bool
    private let sortsKeys: Bool
    private let escapesSlashes: Bool

    @exclusivity(unchecked) private var bytes = GrowingBuffer<UInt8>(capacity: 512)
    @exclusivity(unchecked) private var frames = GrowingBuffer<JSONFrame>(capacity: 16)
    @exclusivity(unchecked) private var members = JSONMembers()
    @exclusivity(unchecked) private var serial = 0
    /// The keyed containers, each with the frame of its object.
    @exclusivity(unchecked) private(set) var containers = ReusedContainers<JSONFrame.Identifier>()
    /// Whether the encoding has ended. After that, containers are not kept: a kept container and the writer would
    /// retain each other.
    private var isClosed = false
    /// The types that were found not to be scalars: finding out takes 21 comparisons.
    @exclusivity(unchecked) private var structures = RecentTypes()
    /// Whether the value has to be left to `JSONEncoder`.
    @exclusivity(unchecked) private(set) var hasGivenUp = false

    /// Creates a writer; `nil` for settings that are left to `JSONEncoder`.
    init?(_ options: FastJSONEncoder) {
        let supported: JSONEncoder.OutputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard options.outputFormatting.isSubset(of: supported) else { return nil }
        switch options.keyEncodingStrategy {
        case .useDefaultKeys: convertsToSnakeCase = false
        case .convertToSnakeCase: convertsToSnakeCase = true
        case .custom: return nil
        @unknown default: return nil
        }
        self.options = options
        sortsKeys = options.outputFormatting.contains(.sortedKeys)
        escapesSlashes = !options.outputFormatting.contains(.withoutEscapingSlashes)
    }

    /// Returns the JSON of `value`; `nil` if it is left to `JSONEncoder`.
    func text<Value: Encodable>(of value: Value) -> Data? {
        defer { close() }
        do {
            if try !writeScalar(value) {
                let frame = open(.empty)
                try encode(value, in: frame)
                // `JSONEncoder` refuses a value that encodes nothing here, and writes an empty object elsewhere.
                guard frames.count == 0 || frames[0].content != .empty else { return nil }
                close(downTo: frame.index)
            }
        } catch {
            return nil
        }
        return hasGivenUp ? nil : Data(bytes.all)
    }

    /// Records that the value has to be left to `JSONEncoder`.
    func giveUp() { hasGivenUp = true }

    // MARK: Containers

    /// Returns a container of the members of an object, which is open in `frame`.
    func container<Key: CodingKey>(
        keyedBy type: Key.Type,
        in frame: JSONFrame.Identifier
    ) -> KeyedEncodingContainer<Key> {
        // The static type: the value of `type` may be a subclass of `Key`.
        if !isClosed, let box = containers.reuse(keyedBy: ObjectIdentifier(Key.self), at: frame) {
            return KeyedEncodingContainer(box: box)
        }
        guard !isClosed, ContainerBox.isWholeOfEncodingContainer, let slot = containers.freeSlot() else {
            return KeyedEncodingContainer(JSONKeyedEncodingContainer<Key>(writer: self, place: .fixed(frame)))
        }
        let container = KeyedEncodingContainer(JSONKeyedEncodingContainer<Key>(writer: self, place: .slot(slot)))
        containers.keep(container.box, in: slot, keyedBy: ObjectIdentifier(Key.self), at: frame)
        return container
    }

    /// Ends the encoding: releases the containers, which have references to the writer.
    private func close() {
        isClosed = true
        containers.releaseAll()
    }

    // MARK: Frames

    /// Returns an empty coding path, and leaves the value to `JSONEncoder`, which knows its place.
    ///
    /// Few types ask for their path, and Foundation's has omissions: beneath nested containers, keys are missing.
    func codingPath() -> [any CodingKey] {
        giveUp()
        return []
    }

    /// Returns the number of members or elements of a frame.
    func count(of frame: JSONFrame.Identifier) -> Int {
        isOpen(frame) ? frames[frame.index].count : 0
    }

    private func isOpen(_ frame: JSONFrame.Identifier) -> Bool {
        frame.index < frames.count && frames[frame.index].serial == frame.serial
    }

    /// Opens a frame for a value.
    func open(_ content: JSONFrame.Content) -> JSONFrame.Identifier {
        if frames.count >= Self.maximumDepth { giveUp() }
        serial += 1
        frames.append(JSONFrame(serial: serial, content: content, firstMember: members.count))
        switch content {
        case .object: bytes.append(UInt8(ascii: "{"))
        case .array: bytes.append(UInt8(ascii: "["))
        case .empty, .value: break
        }
        return JSONFrame.Identifier(index: frames.count - 1, serial: serial)
    }

    /// Completes the frames above `frame`, so that its next part can be written; `false` if `frame` is complete itself.
    func resume(_ frame: JSONFrame.Identifier) -> Bool {
        guard isOpen(frame) else {
            giveUp()
            return false
        }
        if frame.index + 1 < frames.count { close(downTo: frame.index + 1) }
        return true
    }

    /// Turns a frame into an object or an array, unless it is one already; `false` if it holds another value.
    func begin(_ content: JSONFrame.Content, in frame: JSONFrame.Identifier) -> Bool {
        guard resume(frame) else { return false }
        if frames[frame.index].content == content { return true }
        guard frames[frame.index].content == .empty else {
            giveUp()
            return false
        }
        frames[frame.index].content = content
        bytes.append(content == .object ? UInt8(ascii: "{") : UInt8(ascii: "["))
        return true
    }

    /// Reserves an empty frame for a scalar; `false` if it holds a value.
    func beginScalar(in frame: JSONFrame.Identifier) -> Bool {
        guard resume(frame), frames[frame.index].content == .empty else {
            giveUp()
            return false
        }
        frames[frame.index].content = .value
        return true
    }

    /// Writes the comma before an element, and counts the element.
    func beginElement(of frame: JSONFrame.Identifier) -> Bool {
        guard resume(frame) else { return false }
        if frames[frame.index].count > 0 { bytes.append(UInt8(ascii: ",")) }
        frames[frame.index].count += 1
        return true
    }

    /// Writes the comma and the key before a member's value.
    func beginMember(_ key: String, of frame: JSONFrame.Identifier) -> Bool {
        guard resume(frame) else { return false }
        let converts = convertsToSnakeCase && !frames[frame.index].keepsKeys
        var key = converts ? SnakeCase.converted(key) : key
        if frames[frame.index].count > 0 { bytes.append(UInt8(ascii: ",")) }
        let first = frames[frame.index].firstMember
        guard members.append(&key, at: bytes.count, of: first, keepsKey: sortsKeys) else {
            // `JSONEncoder` replaces the value of the member that is there.
            giveUp()
            return false
        }
        frames[frame.index].count += 1
        write(&key)
        bytes.append(UInt8(ascii: ":"))
        return true
    }

    /// Completes all frames from `index` on.
    private func close(downTo index: Int) {
        while frames.count > index {
            complete(frames.count - 1)
            frames.removeLast()
        }
    }

    /// Writes what a frame lacks to be a value.
    private func complete(_ index: Int) {
        switch frames[index].content {
        case .value: break
        case .empty: bytes.append("{}")
        case .array: bytes.append(UInt8(ascii: "]"))
        case .object:
            let first = frames[index].firstMember
            if sortsKeys { members.sort(from: first, in: &bytes) }
            members.removeAll(from: first)
            bytes.append(UInt8(ascii: "}"))
        }
        frames[index].content = .value
    }

    // MARK: Values

    /// Writes a value where the text expects one.
    func write<Value: Encodable>(value: Value) throws {
        if try writeScalar(value) { return }
        let frame = open(.empty)
        try encode(value, in: frame)
        if resume(frame) { close(downTo: frame.index) }
    }

    /// Writes a value as the content of an open frame, and completes it.
    func write<Value: Encodable>(_ value: Value, in frame: JSONFrame.Identifier) throws {
        guard resume(frame), frames[frame.index].content == .empty else { return giveUp() }
        if try writeScalar(value) {
            frames[frame.index].content = .value
        } else {
            try encode(value, in: frame)
            if resume(frame) { complete(frame.index) }
        }
    }

    private func encode<Value: Encodable>(_ value: Value, in frame: JSONFrame.Identifier) throws {
        let encoder = JSONNodeEncoder(writer: self, frame: frame)
        do {
            if isStructure(Value.self), !convertsToSnakeCase {
                try value.encode(to: encoder)
            } else if Value.self == Date.self, case .custom(let encode) = options.dateEncodingStrategy,
                let date = value as? Date
            {
                try encode(date, encoder)
            } else if Value.self == Data.self, case .custom(let encode) = options.dataEncodingStrategy,
                let data = value as? Data
            {
                try encode(data, encoder)
            } else {
                if convertsToSnakeCase, value is any StringKeyedEncodable { frames[frame.index].keepsKeys = true }
                try value.encode(to: encoder)
            }
        } catch {
            // The type that encodes this value may catch the error, and half of the value has been written.
            giveUp()
            throw error
        }
    }

    /// Returns whether a type was found not to be a scalar.
    func isStructure(_ type: any Any.Type) -> Bool { structures.contains(ObjectIdentifier(type)) }

    /// Records that a type is not a scalar.
    func noteStructure(_ type: any Any.Type) { structures.append(ObjectIdentifier(type)) }

    // MARK: Text

    func writeNull() { bytes.append("null") }

    func write(_ value: Bool) { bytes.append(value ? "true" : "false") }

    func write(_ value: borrowing String) {
        var value = copy value
        write(&value)
    }

    private func write(_ text: inout String) {
        text.withUTF8 { JSONText.append($0, to: &bytes, escapingSlashes: escapesSlashes) }
    }

    func write(_ value: some FixedWidthInteger) { JSONText.append(value, to: &bytes) }

    func write<Value: BinaryFloatingPoint & Encodable & CustomStringConvertible>(_ value: Value) throws {
        guard value.isFinite else { return try writeNonConforming(value) }
        var text = value.description
        text.withUTF8 { text in
            let isWhole =
                text.count > 2 && text[text.count - 2] == UInt8(ascii: ".") && text[text.count - 1] == UInt8(ascii: "0")
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: isWhole ? text.dropLast(2) : text[...]))
        }
    }

    private func writeNonConforming<Value: BinaryFloatingPoint>(_ value: Value) throws {
        switch options.nonConformingFloatEncodingStrategy {
        case .convertToString(let positive, let negative, let nan):
            write(value.isNaN ? nan : value > 0 ? positive : negative)
        case .throw: throw refusal(of: value)
        @unknown default: throw refusal(of: value)
        }
    }

    /// Returns an error that a type can catch. Users see that of `JSONEncoder`, which encodes the value again.
    func refusal(of value: Any) -> EncodingError {
        giveUp()
        return .invalidValue(
            value, EncodingError.Context(codingPath: [], debugDescription: "JSON cannot represent the value."))
    }

    /// Writes the text of a number.
    func writeNumber(_ text: String) { for byte in text.utf8 { bytes.append(byte) } }

    /// Writes an array whose elements need no frames.
    func writeElements<Element>(_ elements: [Element], _ write: (Element) throws -> Void) rethrows {
        bytes.append(UInt8(ascii: "["))
        var isFirst = true
        for element in elements {
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            try write(element)
        }
        bytes.append(UInt8(ascii: "]"))
    }
}
