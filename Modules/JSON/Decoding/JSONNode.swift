/// A value or a key of a document: the range of its bytes and the index of the next node.
///
/// The nodes of a document form one array in the order of the text. The alternating keys and values of an object follow
/// its node; the elements of an array follow its node.
struct JSONNode {
    enum Kind: UInt8 {
        case null, `true`, `false`, object, array
        /// A number without fraction and exponent.
        case integer
        /// Another number.
        case number
        /// A string in ASCII without escapes.
        case plainString
        /// A string beyond ASCII without escapes.
        case unicodeString
        /// A string with escapes.
        case escapedString
    }

    let kind: Kind
    /// The index of the first byte; of a string, of the one after the quotation mark.
    let start: UInt32
    /// The index after the last byte; of a container, the number of its members.
    var end: UInt32
    /// The index of the node after this one and its contents.
    var next: UInt32

    var isString: Bool { kind.rawValue >= Kind.plainString.rawValue }
    var isContainer: Bool { kind == .object || kind == .array }
    var isNumber: Bool { kind == .integer || kind == .number }
}

extension JSONNode.Kind {
    /// The description of the error for a value of this kind in place of another. A constant, since most of these
    /// errors are never read.
    var mismatch: String {
        switch self {
        case .null: "A value of another kind was expected, and null was found."
        case .true, .false: "A value of another kind was expected, and a truth value was found."
        case .integer, .number: "A value of another kind was expected, and a number was found."
        case .object: "A value of another kind was expected, and an object was found."
        case .array: "A value of another kind was expected, and an array was found."
        case .plainString, .unicodeString, .escapedString:
            "A value of another kind was expected, and a string was found."
        }
    }
}
