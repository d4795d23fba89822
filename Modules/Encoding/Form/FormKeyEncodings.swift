extension URLEncodedFormEncoder {
    /// How a type's keys are spelled, and a dictionary's.
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
        /// Keys made by a function.
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

        /// The words of a name in camel case, in lower case.
        ///
        /// A capital begins a word, and so does the last of several when a small letter follows it (`myURLPath`: my,
        /// url, path). The first letter of the name is a word's beginning whatever its case: `URLPath` is u, rl, path,
        /// as it is for `JSONEncoder`, so that a type has the same keys in both formats.
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

    /// How the keys of what is nested are joined.
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

        /// Makes an encoding.
        ///
        /// - Parameter encoding: Makes what is appended to the parent's key from the child's.
        public init(encoding: @escaping @Sendable (_ subkey: String) -> String) { encode = encoding }
    }
}
