/// The header of a frame (RFC 6455 §5.2).
package struct FrameHeader: Sendable, Hashable {
    package var isFinal: Bool
    /// The first reserved bit: the message is compressed (RFC 7692 §6).
    package var isCompressed: Bool
    package var opcode: Opcode
    package var maskingKey: MaskingKey?
    /// The length of the payload, in bytes.
    package var length: Int

    package init(
        _ opcode: Opcode,
        length: Int,
        isFinal: Bool = true,
        isCompressed: Bool = false,
        maskingKey: MaskingKey? = nil
    ) {
        self.opcode = opcode
        self.length = length
        self.isFinal = isFinal
        self.isCompressed = isCompressed
        self.maskingKey = maskingKey
    }

    /// The maximum payload of a control frame (§5.5).
    package static let maximumControlLength = 125
}

extension FrameHeader {
    /// Parses a header at the start of `bytes`.
    ///
    /// - Returns: The header and its size in bytes; `nil` if `bytes` has only part of it.
    /// - Throws: The violation of a header that is invalid in every state of the connection.
    static func read(
        from bytes: UnsafeRawBufferPointer
    ) throws(ProtocolViolation) -> (header: FrameHeader, size: Int)? {
        guard bytes.count >= 2 else { return nil }
        let (first, second) = (bytes[0], bytes[1])
        guard first & 0x30 == 0 else {
            throw .protocolError("a frame has a reserved bit set that no extension uses", section: "RFC 6455 §5.2")
        }
        guard let opcode = Opcode(rawValue: first & 0x0F) else {
            throw .protocolError("a frame has the reserved opcode \(first & 0x0F)", section: "RFC 6455 §5.2")
        }
        guard let (length, lengthSize) = try length(second & 0x7F, in: bytes) else { return nil }
        let isMasked = second & 0x80 != 0
        let size = 2 + lengthSize + (isMasked ? 4 : 0)
        guard bytes.count >= size else { return nil }
        var header = FrameHeader(opcode, length: length, isFinal: first & 0x80 != 0, isCompressed: first & 0x40 != 0)
        if isMasked {
            let key = bytes.loadUnaligned(fromByteOffset: 2 + lengthSize, as: UInt32.self)
            header.maskingKey = MaskingKey(bytes: key)
        }
        return (header, size)
    }

    /// Returns the length of the payload, and the number of bytes that it takes after the second byte.
    private static func length(
        _ short: UInt8,
        in bytes: UnsafeRawBufferPointer
    ) throws(ProtocolViolation) -> (length: Int, size: Int)? {
        switch short {
        case 126:
            guard bytes.count >= 4 else { return nil }
            let length = Int(UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self)))
            guard length > 125 else { throw .longLength(length) }
            return (length, 2)
        case 127:
            guard bytes.count >= 10 else { return nil }
            let long = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt64.self))
            guard let length = Int(exactly: long) else {
                throw .protocolError(
                    "a frame's length has its most significant bit set", section: "RFC 6455 §5.2")
            }
            guard length > 0xFFFF else { throw .longLength(length) }
            return (length, 8)
        default: return (Int(short), 0)
        }
    }

    /// The number of bytes of the header.
    var size: Int {
        let lengthSize =
            switch length {
            case ...125: 0
            case ...0xFFFF: 2
            default: 8
            }
        return 2 + lengthSize + (maskingKey == nil ? 0 : 4)
    }

    /// The number of bytes of the frame.
    package var frameSize: Int { size + length }

    /// Writes the frame to `address`, which has room for ``frameSize`` bytes.
    ///
    /// - Parameter payload: The payload before masking, of ``length`` bytes.
    package func writeFrame(_ payload: UnsafeRawBufferPointer, to address: UnsafeMutableRawPointer) {
        write(to: address)
        let content = UnsafeMutableRawBufferPointer(start: address + size, count: payload.count)
        content.copyMemory(from: payload)
        maskingKey?.apply(to: content, at: 0)
    }

    /// Writes the header's bytes to `address`, which has room for ``size`` bytes.
    func write(to address: UnsafeMutableRawPointer) {
        let first = (isFinal ? 0x80 : 0) | (isCompressed ? 0x40 : 0) | opcode.rawValue
        address.storeBytes(of: first, as: UInt8.self)
        let mask: UInt8 = maskingKey == nil ? 0 : 0x80
        switch length {
        case ...125: address.storeBytes(of: mask | UInt8(truncatingIfNeeded: length), toByteOffset: 1, as: UInt8.self)
        case ...0xFFFF:
            address.storeBytes(of: mask | 126, toByteOffset: 1, as: UInt8.self)
            address.storeBytes(of: UInt16(truncatingIfNeeded: length).bigEndian, toByteOffset: 2, as: UInt16.self)
        default:
            address.storeBytes(of: mask | 127, toByteOffset: 1, as: UInt8.self)
            address.storeBytes(of: UInt64(length).bigEndian, toByteOffset: 2, as: UInt64.self)
        }
        if let maskingKey { address.storeBytes(of: maskingKey.bytes, toByteOffset: size - 4, as: UInt32.self) }
    }
}

extension ProtocolViolation {
    fileprivate static func longLength(_ length: Int) -> ProtocolViolation {
        protocolError("a frame's length of \(length) takes more bytes than it needs", section: "RFC 6455 §5.2")
    }
}
