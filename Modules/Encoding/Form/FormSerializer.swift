internal import AirframeTransport

/// A serializer of the tree: one pair per leaf, with the path to the leaf as its key.
struct FormSerializer {
    let options: URLEncodedFormEncoder
    let escaping: PercentEncoding
    let customEscaping: (@Sendable (String) -> String)?

    /// Returns the pairs of the root object.
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
        // Empty elements get no index: a server would take the gap for an element.
        for element in elements where element.hasPairs {
            segments.append(text(of: element, key: options.arrayEncoding.encode(key, at: segments.count)))
        }
        if options.alphabetizeKeyValuePairs { segments = sortedByKey(segments) }
        return segments.joined(separator: "&")
    }

    /// Returns the elements sorted by their first keys. Values do not count, because the order of an array matters; the
    /// standard library's sort is stable.
    private func sortedByKey(_ segments: [String]) -> [String] {
        let keyed = segments.map { (key: firstKey(of: $0), segment: $0) }
        guard let first = keyed.first, keyed.contains(where: { $0.key != first.key }) else { return segments }
        return keyed.sorted { $0.key < $1.key }.map(\.segment)
    }

    /// The key of the first pair with its equals sign, which orders `a=` after `a%5B`, as comparing whole pairs would.
    private func firstKey(of segment: String) -> Substring {
        guard let sign = segment.utf8.firstIndex(of: UInt8(ascii: "=")) else { return segment[...] }
        return segment[...sign]
    }

    private func escape(_ text: String) -> String {
        if let customEscaping { return customEscaping(text) }
        // A space that is an allowed character stays unless it becomes a plus: the option for spaces is the more
        // specific one.
        return escaping.encode(text, replacesSpaces: options.spaceEncoding == .plusReplaced)
    }
}
