extension URLEncodedFormEncoder {
    /// The conversion of the keys of pairs.
    ///
    /// The whole key of a nested value is converted in one step, with the text that ``ArrayEncoding`` and
    /// ``KeyPathEncoding`` have added: by ``capitalized``, `outerKey[innerKey]` becomes `OuterKey[innerKey]`.
    public enum KeyEncoding: Sendable {
        /// As they are.
        case useDefaultKeys
        /// `oneTwoThree` becomes `one_two_three`, by `JSONEncoder`'s rules.
        case convertToSnakeCase
        /// `oneTwoThree` becomes `one-two-three`.
        case convertToKebabCase
        /// `oneTwoThree` becomes `OneTwoThree`.
        case capitalized
        /// `oneTwoThree` becomes `ONETWOTHREE`.
        case uppercased
        /// `oneTwoThree` becomes `onetwothree`.
        case lowercased
        /// Converts keys with a closure.
        case custom(@Sendable (String) -> String)

        func encode(_ key: String) -> String {
            switch self {
            case .useDefaultKeys: key
            case .convertToSnakeCase: Self.words(of: key).joined(separator: "_")
            case .convertToKebabCase: Self.words(of: key).joined(separator: "-")
            case .capitalized: key.prefix(1).uppercased() + key.dropFirst()
            case .uppercased: key.uppercased()
            case .lowercased: key.lowercased()
            case .custom(let encoding): encoding(key)
            }
        }

        /// Returns the words of a name in camel case, in lower case.
        ///
        /// A capital letter begins a word, and so does the last of several if a small letter follows (`myURLPath`: my,
        /// url, path). The first letter always begins a word: `URLPath` is u, rl, path, as with `JSONEncoder`, so that
        /// a type has the same keys in both formats.
        private static func words(of name: String) -> [String] {
            let letters = Array(name)
            guard letters.count > 1 else { return [name.lowercased()] }
            var starts = [0]
            var index = 1
            while let capital = letters[index...].firstIndex(where: \.isUppercase) {
                starts.append(capital)
                let rest = letters[(capital + 1)...]
                guard let small = rest.firstIndex(where: \.isLowercase) else { break }
                if small - 1 > capital { starts.append(small - 1) }
                index = small
            }
            return zip(starts, starts.dropFirst() + [letters.count]).map { String(letters[$0..<$1]).lowercased() }
        }
    }

    /// The combination of the keys of nested values.
    ///
    /// ```swift
    /// let arrows = URLEncodedFormEncoder.KeyPathEncoding { "->\($0)" }
    /// ```
    public struct KeyPathEncoding: Sendable {
        /// `parent[child][grandchild]`
        public static let brackets = KeyPathEncoding { "[\($0)]" }
        /// `parent.child.grandchild`
        public static let dots = KeyPathEncoding { ".\($0)" }

        let encode: @Sendable (String) -> String

        /// Creates an encoding.
        ///
        /// - Parameter encoding: A closure that returns the suffix for the parent's key from the child's key.
        public init(encoding: @escaping @Sendable (_ subkey: String) -> String) { encode = encoding }
    }
}
