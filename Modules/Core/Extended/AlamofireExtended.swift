/// A namespace for the library's additions to a type.
public struct AlamofireExtension<ExtendedType> {
    /// The extended value.
    public private(set) var type: ExtendedType

    /// Creates the extension of `type`.
    public init(_ type: ExtendedType) { self.type = type }
}

extension AlamofireExtension: Sendable where ExtendedType: Sendable {}

/// A type that has additions under `.af`.
public protocol AlamofireExtended {
    /// The extended type.
    associatedtype ExtendedType

    /// The additions to the type.
    static var af: AlamofireExtension<ExtendedType>.Type { get set }
    /// The additions to a value.
    var af: AlamofireExtension<ExtendedType> { get set }
}

extension AlamofireExtended {
    /// The additions to the type.
    public static var af: AlamofireExtension<Self>.Type {
        get { AlamofireExtension<Self>.self }
        set {}  // Settable, so that additions can be mutating; there is nothing to keep.
    }

    /// The additions to this value.
    public var af: AlamofireExtension<Self> {
        get { AlamofireExtension(self) }
        set {}
    }
}
