package import HTTPTypes

extension HTTPFields {
    /// Returns the position of the first field with this name, at or after `start`; `nil` if there is none.
    ///
    /// The subscript and `contains(_:)` find the same field by comparing every name as text, 42 instructions each. The
    /// length of a name rules out almost all fields.
    package func position(of name: HTTPField.Name, from start: Int = 0) -> Int? {
        let wanted = name.canonicalName
        let length = wanted.utf8.count
        var index = start
        while index < endIndex {
            let candidate = self[index].name.canonicalName
            if candidate.utf8.count == length, candidate == wanted { return index }
            index += 1
        }
        return nil
    }

    /// Returns whether there is a field with this name.
    package func has(_ name: HTTPField.Name) -> Bool { position(of: name) != nil }
}
