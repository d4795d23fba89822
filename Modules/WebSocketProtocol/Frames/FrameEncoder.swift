package import FoundationEssentials

/// An encoder for frames: the sending half of RFC 6455 §5.
package struct FrameEncoder: Sendable {
    private let role: Role
    private var keys: MaskingKeys

    /// Creates an encoder for one end of a connection.
    ///
    /// - Parameters:
    ///   - role: The end; a client's frames are masked.
    ///   - keys: The source of masking keys.
    package init(role: Role, keys: MaskingKeys = MaskingKeys()) {
        self.role = role
        self.keys = keys
    }

    /// Returns the bytes of a frame.
    package mutating func frame(
        _ opcode: Opcode,
        _ payload: Data = Data(),
        isFinal: Bool = true,
        isCompressed: Bool = false
    ) -> Data {
        let key = role == .client ? keys.next() : nil
        let header = FrameHeader(
            opcode, length: payload.count, isFinal: isFinal, isCompressed: isCompressed, maskingKey: key)
        var data = Data(capacity: payload.count + FrameHeader.maximumSize)
        header.write(to: &data)
        let start = data.count
        data.append(payload)
        if let key {
            data.withUnsafeMutableBytes { bytes in
                key.apply(to: UnsafeMutableRawBufferPointer(rebasing: bytes[start...]), at: 0)
            }
        }
        return data
    }

    /// Returns the bytes of a Close frame.
    package mutating func close(_ status: CloseStatus) -> Data { frame(.close, status.payload) }
}
