/// A value of a document, or a key: where its bytes are, and where the next one is.
///
/// The nodes of a document are one array in the order of the text. An object's node is followed by its keys and values
/// in turn, an array's by its elements.
struct JSONNode {
    enum Kind: UInt8 {
        case null, `true`, `false`, number, object, array
        /// A text in ASCII without escapes.
        case plainString
        /// A text beyond ASCII without escapes.
        case unicodeString
        /// A text with escapes.
        case escapedString
    }

    let kind: Kind
    /// The first byte; of a text, the one after the quotation mark.
    let start: UInt32
    /// The byte after the last; of a container, the number of its members.
    var end: UInt32
    /// The node after this one and all that is in it.
    var next: UInt32

    var isString: Bool { kind.rawValue >= Kind.plainString.rawValue }
    var isContainer: Bool { kind == .object || kind == .array }
}

extension JSONNode.Kind {
    /// What an error says of a value of this kind that should be another: a constant, since most are thrown away
    /// unread.
    var mismatch: String {
        switch self {
        case .null: "A value of another kind was expected, and null was found."
        case .true, .false: "A value of another kind was expected, and a truth value was found."
        case .number: "A value of another kind was expected, and a number was found."
        case .object: "A value of another kind was expected, and an object was found."
        case .array: "A value of another kind was expected, and an array was found."
        case .plainString, .unicodeString, .escapedString:
            "A value of another kind was expected, and a string was found."
        }
    }
}
