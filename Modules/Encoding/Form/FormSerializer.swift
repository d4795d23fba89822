internal import AirframeTransport

/// A serializer of the tree: one pair per leaf, with the path to the leaf as its key.
///
/// The rules are Alamofire's. The key encoding converts the whole key of a pair, after the encodings of arrays and
/// paths have composed it. Sorting compares encoded pairs with their values, in objects and in arrays.
struct FormSerializer {
    let options: URLEncodedFormEncoder
    let escaping: PercentEncoding
    let customEscaping: (@Sendable (String) -> String)?

    /// Returns the pairs of the root object.
    func text(of object: FormObject) -> String {
        text(of: object) { $0 }
    }

    private func text(of node: FormNode, key: String) -> String {
        switch node.content {
        case .nothing: ""
        case .text(let value): "\(escape(options.keyEncoding.encode(key)))=\(escape(value))"
        case .list(let elements): text(of: elements, key: key)
        case .object(let object): text(of: object, key: key)
        case .listAndObject(let elements, let object):
            join([text(of: object, key: key), text(of: elements, key: key)].filter { !$0.isEmpty })
        }
    }

    private func text(of object: FormObject, key: String) -> String {
        text(of: object) { key + options.keyPathEncoding.encode($0) }
    }

    private func text(of object: FormObject, path: (String) -> String) -> String {
        var segments: [String] = []
        segments.reserveCapacity(object.members.count)
        for (key, node) in object.members where node.hasPairs {
            segments.append(text(of: node, key: path(key)))
        }
        return join(segments)
    }

    private func text(of elements: [FormNode], key: String) -> String {
        var segments: [String] = []
        segments.reserveCapacity(elements.count)
        // Empty elements get no index: a server would take the gap for an element.
        for element in elements where element.hasPairs {
            segments.append(text(of: element, key: options.arrayEncoding.encode(key, at: segments.count)))
        }
        return join(segments)
    }

    private func join(_ segments: [String]) -> String {
        (options.alphabetizeKeyValuePairs ? segments.sorted() : segments).joined(separator: "&")
    }

    private func escape(_ text: String) -> String {
        if let customEscaping { return customEscaping(text) }
        return escaping.encode(text, replacesSpaces: options.spaceEncoding == .plusReplaced)
    }
}
