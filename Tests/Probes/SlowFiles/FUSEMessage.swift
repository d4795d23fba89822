/// A request of the kernel's to a file system (`linux/fuse.h`).
struct FUSERequest: Sendable {
    enum Operation: UInt32 {
        case lookup = 1
        case forget = 2
        case getAttributes = 3
        case open = 14
        case read = 15
        case release = 18
        case flush = 25
        case initialize = 26
        case access = 34
        case interrupt = 36
        case forgetBatch = 42
    }

    /// `nil` for an operation that the file system does not have.
    let operation: Operation?
    let identifier: UInt64
    let node: UInt64
    private let content: [UInt8]

    init?(_ bytes: ArraySlice<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count >= 40 else { return nil }
        operation = Operation(rawValue: UInt32(Self.number(in: bytes, at: 4, count: 4)))
        identifier = Self.number(in: bytes, at: 8, count: 8)
        node = Self.number(in: bytes, at: 16, count: 8)
        content = Array(bytes[40...])
    }

    /// The name that a lookup asks for.
    var name: ArraySlice<UInt8> { content.prefix { $0 != 0 } }

    /// The region that a read asks for: its start and length in bytes.
    var region: (start: Int, count: Int) {
        guard content.count >= 20 else { return (0, 0) }
        return (
            Int(Self.number(in: content, at: 8, count: 8)),
            Int(Self.number(in: content, at: 16, count: 4))
        )
    }

    private static func number(in bytes: [UInt8], at start: Int, count: Int) -> UInt64 {
        bytes[start..<start + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}

/// Answers of a file system to the kernel (`linux/fuse.h`).
enum FUSEAnswer {
    static func header(to request: FUSERequest, count: Int, error: Int32) -> [UInt8] {
        bytes(UInt32(16 + count)) + bytes(-error) + bytes(request.identifier)
    }

    /// Version 7.31 without options.
    static let initialization: [UInt8] = {
        let start = bytes(UInt32(7)) + bytes(UInt32(31)) + bytes(UInt32(128 << 10)) + bytes(UInt32(0))
        let limits = bytes(UInt16(64)) + bytes(UInt16(48)) + bytes(UInt32(4096)) + bytes(UInt32(1))
        return start + limits + [UInt8](repeating: 0, count: 36)
    }()

    /// The entry of a file, valid for an hour. Each name has its own node.
    static func entry(of name: ArraySlice<UInt8>, size: Int) -> [UInt8] {
        let identifier = name.reduce(UInt64(14_695_981_039_346_656_037)) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
        let lifetimes = bytes(UInt64(3600)) + bytes(UInt64(3600)) + bytes(UInt64(0))
        return bytes(identifier | 2) + bytes(UInt64(0)) + lifetimes + node(isRoot: false, size: size)
    }

    static func attributes(isRoot: Bool, size: Int) -> [UInt8] {
        bytes(UInt64(3600)) + bytes(UInt64(0)) + node(isRoot: isRoot, size: size)
    }

    static let opened = bytes(UInt64(0)) + bytes(UInt64(0))

    private static func node(isRoot: Bool, size: Int) -> [UInt8] {
        let numbers: [UInt64] = [isRoot ? 1 : 2, isRoot ? 0 : UInt64(size), 0, 0, 0, 0]
        let mode: UInt32 = isRoot ? 0o040755 : 0o100644
        let rest: [UInt32] = [0, 0, 0, mode, 1, 0, 0, 0, 4096, 0]
        return numbers.flatMap { bytes($0) } + rest.flatMap { bytes($0) }
    }

    private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }
}
