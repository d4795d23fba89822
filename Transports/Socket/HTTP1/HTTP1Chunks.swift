package import AirframeTransport
package import HTTPTypes

/// The framing of chunked request content (RFC 9112 §7.1). The connection writes each piece unchanged between a prefix
/// and a suffix.
package enum HTTP1Chunks {
    /// The bytes that follow each piece.
    package static let suffix: [UInt8] = [.carriageReturn, .lineFeed]

    /// Appends the prefix of a piece of `count` bytes. Do not call it for an empty piece: a chunk of 0 bytes ends the
    /// content.
    package static func writePrefix(of count: Int, to buffer: inout [UInt8]) {
        guard count > 0 else { return }
        var shift = (count.bitWidth - count.leadingZeroBitCount - 1) & ~3
        while shift >= 0 {
            let digit = UInt8(truncatingIfNeeded: count >> shift) & 15
            buffer.append(digit < 10 ? 48 + digit : 87 + digit)
            shift -= 4
        }
        buffer.append(.carriageReturn)
        buffer.append(.lineFeed)
    }

    /// Appends the last chunk and the trailer.
    ///
    /// - Throws: ``TransportError/Code/invalidRequest`` for a field that is not allowed in a trailer (RFC 9110 §6.5.1)
    ///   or would change the message's framing. `buffer` is unchanged then.
    package static func writeEnd(
        trailers: HTTPFields? = nil,
        to buffer: inout [UInt8],
        origin: Origin? = nil
    ) throws(TransportError) {
        var bound = 1024
        while true {
            do throws(HTTP1WriteFailure) {
                return try buffer.append(upTo: bound) { output throws(HTTP1WriteFailure) in
                    try output.append("0\r\n")
                    for field in trailers ?? HTTPFields() { try writeTrailer(field, to: &output) }
                    try output.append("\r\n")
                }
            } catch {
                guard case .refused(let violation) = error else {
                    bound *= 4
                    continue
                }
                throw TransportError(
                    violation.code,
                    phase: .requestBody,
                    processing: .unknown,
                    message: violation.message,
                    origin: origin
                )
            }
        }
    }

    private static func writeTrailer(
        _ field: HTTPField,
        to output: inout OutputSpan<UInt8>
    ) throws(HTTP1WriteFailure) {
        guard field.name.isAllowedInRequestTrailers else {
            throw .refused("the field \(field.name) cannot be a trailer (RFC 9110 §6.5.1)")
        }
        try output.append(field)
    }
}
