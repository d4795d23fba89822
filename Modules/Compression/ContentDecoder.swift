package import FoundationEssentials

/// Decodes content incrementally.
///
/// Input may be divided into chunks at any position. Input is pushed and output is pulled, so that memory is bounded by
/// the input and one piece of 64 KiB, however large the output is.
///
/// ```swift
/// var decoder = try ContentDecoder(.gzip)
/// for chunk in chunks { plain += try decoder.decode(chunk) }
/// plain += try decoder.finish()
/// ```
public struct ContentDecoder: ~Copyable, Sendable {
    /// The stages in the order of decoding: the coding that was applied last comes first.
    private let stages: [DecodingStage]
    private let limits: DecodingLimits
    private var scratch: [UInt8] = []
    private static let pieceSize = 64 << 10

    /// Creates a decoder for one coding.
    ///
    /// - Parameters:
    ///   - coding: The coding.
    ///   - limits: The limits of decoding.
    /// - Throws: ``ContentCodingError/Reason/tooManyCodings(limit:)`` if ``DecodingLimits/maximumCodings`` is 0.
    public init(_ coding: ContentCoding, limits: DecodingLimits = DecodingLimits()) throws(ContentCodingError) {
        try self.init([coding], limits: limits)
    }

    /// Creates a decoder for several codings.
    ///
    /// - Parameters:
    ///   - codings: The codings in the order in which they were applied, as `Content-Encoding` lists them (RFC 9110
    ///     §8.4). None leaves the content as it is.
    ///   - limits: The limits of decoding.
    /// - Throws: ``ContentCodingError/Reason/tooManyCodings(limit:)``.
    public init(_ codings: [ContentCoding], limits: DecodingLimits = DecodingLimits()) throws(ContentCodingError) {
        guard codings.count <= limits.maximumCodings else {
            throw ContentCodingError(.tooManyCodings(limit: limits.maximumCodings), nil)
        }
        self.limits = limits
        stages = codings.reversed().map { DecodingStage($0, limits: limits) }
    }

    /// Adds coded bytes. They are held until ``next()`` has taken them.
    public mutating func push(_ input: RawSpan) {
        input.withUnsafeBytes { push($0) }
    }

    /// Adds coded bytes. They are held until ``next()`` has taken them.
    public mutating func push(_ input: [UInt8]) {
        input.withUnsafeBytes { push($0) }
    }

    package mutating func push(_ input: UnsafeRawBufferPointer) {
        if let first = stages.first { first.push(input) } else { scratch.append(contentsOf: input) }
    }

    /// Ends the input. From then on a stream that has not ended is an error.
    public mutating func endInput() { stages.first?.endInput() }

    /// Returns the next decoded bytes, from 1 to 65,536.
    ///
    /// - Returns: `nil` if all input is decoded: push more; after ``endInput()`` it is the end.
    /// - Throws: A ``ContentCodingError``. The rest of the content cannot be decoded then.
    public mutating func next() throws(ContentCodingError) -> [UInt8]? {
        var failure: ContentCodingError?
        let piece = [UInt8](unsafeUninitializedCapacity: Self.pieceSize) { buffer, count in
            do throws(ContentCodingError) {
                count = try pull(into: UnsafeMutableRawBufferPointer(buffer))
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return piece.isEmpty ? nil : piece
    }

    /// Decodes `input` together with earlier input that was held back.
    ///
    /// - Throws: A ``ContentCodingError``. The rest of the content cannot be decoded then.
    public mutating func decode(_ input: [UInt8]) throws(ContentCodingError) -> [UInt8] {
        push(input)
        return try drain()
    }

    /// Ends the input, and returns the remaining decoded bytes.
    ///
    /// - Throws: ``ContentCodingError/Reason/truncated`` if the coded stream is incomplete.
    public mutating func finish() throws(ContentCodingError) -> [UInt8] {
        endInput()
        return try drain()
    }

    /// Does the same as ``next()``, with memory that `Data` adopts without copying.
    package mutating func nextData() throws(ContentCodingError) -> Data? {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.pieceSize, alignment: 16)
        let count: Int
        do throws(ContentCodingError) {
            count = try pull(into: memory)
        } catch {
            memory.deallocate()
            throw error
        }
        guard count > 0, let start = memory.baseAddress else {
            memory.deallocate()
            return nil
        }
        // A small piece must not retain 64 KiB.
        guard count > Self.pieceSize / 2 else {
            defer { memory.deallocate() }
            return Data(bytes: start, count: count)
        }
        return Data(bytesNoCopy: start, count: count, deallocator: .custom { start, _ in start.deallocate() })
    }

    private mutating func drain() throws(ContentCodingError) -> [UInt8] {
        var all: [UInt8] = []
        while let piece = try next() { all += piece }
        return all
    }

    private mutating func pull(into output: UnsafeMutableRawBufferPointer) throws(ContentCodingError) -> Int {
        guard !stages.isEmpty else {
            let count = min(scratch.count, output.count)
            output.copyBytes(from: scratch[..<count])
            scratch.removeFirst(count)
            return count
        }
        return try pull(stages.count - 1, into: output)
    }

    /// Pulls from a stage, which pulls from the one before it.
    private func pull(
        _ index: Int,
        into output: UnsafeMutableRawBufferPointer
    ) throws(ContentCodingError) -> Int {
        let stage = stages[index]
        while true {
            let count = try stage.pull(into: output)
            if count > 0 {
                let taken = stages[0].consumed
                try limits.check(produced: stage.produced, consumed: taken, of: stage.coding)
                return count
            }
            // After the end of the inner stream the outer ones are still read, to verify their ends and checksums.
            guard index > 0, !stage.isInputOver else { return 0 }
            guard try feed(stage, from: index - 1) else { return 0 }
        }
    }

    /// Passes the output of the previous stage to a stage. Returns whether there was output, or its end.
    private func feed(_ stage: DecodingStage, from index: Int) throws(ContentCodingError) -> Bool {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.pieceSize, alignment: 16)
        defer { buffer.deallocate() }
        let count = try pull(index, into: buffer)
        if count > 0 {
            stage.push(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            return true
        }
        guard stages[index].hasEnded || stages[index].isInputOver else { return false }
        stage.endInput()
        return true
    }
}
