internal import AirframeTransport

/// Writes a tree as text: one pair a leaf, its key the path to it.
struct FormSerializer {
    let options: URLEncodedFormEncoder
    let escaping: PercentEncoding
    let customEscaping: (@Sendable (String) -> String)?

    /// The pairs of an object that is the whole form.
    func text(of object: FormObject) -> String {
        join(object) { $0 }
    }

    private func text(of node: FormNode, key: String) -> String {
        switch node.content {
        case .nothing: ""
        case .text(let value): "\(escape(key))=\(escape(value))"
        case .list(let elements): text(of: elements, key: key)
        case .object(let object): text(of: object, key: key)
        case .listAndObject(let elements, let object):
            [text(of: object, key: key), text(of: elements, key: key)].filter { !$0.isEmpty }.joined(separator: "&")
        }
    }

    private func text(of object: FormObject, key: String) -> String {
        join(object) { key + options.keyPathEncoding.encode($0) }
    }

    private func join(_ object: FormObject, path: (String) -> String) -> String {
        var segments: [String] = []
        segments.reserveCapacity(object.members.count)
        for (key, node) in object.members where node.hasPairs {
            segments.append(text(of: node, key: path(options.keyEncoding.encode(key))))
        }
        if options.alphabetizeKeyValuePairs { segments.sort() }
        return segments.joined(separator: "&")
    }

    private func text(of elements: [FormNode], key: String) -> String {
        var segments: [String] = []
        segments.reserveCapacity(elements.count)
        // Elements that encode to nothing have no index either: a server would take the gap for an element.
        for element in elements where element.hasPairs {
            segments.append(text(of: element, key: options.arrayEncoding.encode(key, at: segments.count)))
        }
        if options.alphabetizeKeyValuePairs { segments = sortedByKey(segments) }
        return segments.joined(separator: "&")
    }

    /// The elements by their first keys. Their values do not count: an array's order is part of what it says, and the
    /// sort of the standard library leaves what is equal in its order.
    private func sortedByKey(_ segments: [String]) -> [String] {
        let keyed = segments.map { (key: firstKey(of: $0), segment: $0) }
        guard let first = keyed.first, keyed.contains(where: { $0.key != first.key }) else { return segments }
        return keyed.sorted { $0.key < $1.key }.map(\.segment)
    }

    /// The key of the first pair and its equals sign, which orders `a=` after `a%5B` as a whole pair's text would.
    private func firstKey(of segment: String) -> Substring {
        guard let sign = segment.utf8.firstIndex(of: UInt8(ascii: "=")) else { return segment[...] }
        return segment[...sign]
    }

    private func escape(_ text: String) -> String {
        if let customEscaping { return customEscaping(text) }
        // A space that is allowed stays one unless it is to be a plus: the option is the more specific wish.
        return escaping.encode(text, replacesSpaces: options.spaceEncoding == .plusReplaced)
    }
}
