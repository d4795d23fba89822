package import FoundationEssentials

/// Frees content of its codings while it comes in.
///
/// Input can be cut anywhere: the result is the same. It is pushed in and pulled out, so that neither a large input nor
/// a small one that becomes large needs more memory than the input and one piece of 64 KiB.
///
/// ```swift
/// var decoder = try ContentDecoder(.gzip)
/// for chunk in chunks { plain += try decoder.decode(chunk) }
/// plain += try decoder.finish()
/// ```
public struct ContentDecoder: ~Copyable, Sendable {
    /// In the order in which they decode: the last coding that was applied first.
    private let stages: [DecodingStage]
    private let limits: DecodingLimits
    private var scratch: [UInt8] = []
    private static let pieceSize = 64 << 10

    /// Makes a decoder for one coding.
    ///
    /// - Parameters:
    ///   - coding: The coding.
    ///   - limits: What decoding may cost.
    /// - Throws: Nothing for one coding, unless ``DecodingLimits/maximumCodings`` is 0.
    public init(_ coding: ContentCoding, limits: DecodingLimits = DecodingLimits()) throws(ContentCodingError) {
        try self.init([coding], limits: limits)
    }

    /// Makes a decoder for several codings.
    ///
    /// - Parameters:
    ///   - codings: The codings in the order in which they were applied, as `Content-Encoding` lists them (RFC 9110
    ///     §8.4). None leaves the content as it is.
    ///   - limits: What decoding may cost.
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

    /// Says that no more bytes will come. From then on a stream that has not ended is an error.
    public mutating func endInput() { stages.first?.endInput() }

    /// The next decoded bytes, from 1 to 65,536.
    ///
    /// - Returns: `nil` when everything that was pushed is decoded: push more, or after ``endInput()`` it is the end.
    /// - Throws: A ``ContentCodingError``. The content is then lost from here on.
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

    /// All bytes that `input` decodes to, with what was held before it.
    ///
    /// - Throws: A ``ContentCodingError``. The content is then lost from here on.
    public mutating func decode(_ input: [UInt8]) throws(ContentCodingError) -> [UInt8] {
        push(input)
        return try drain()
    }

    /// The bytes that were still held at the end of the input.
    ///
    /// - Throws: ``ContentCodingError/Reason/truncated`` when the content does not end here.
    public mutating func finish() throws(ContentCodingError) -> [UInt8] {
        endInput()
        return try drain()
    }

    /// The same as ``next()`` in memory that `Data` takes over without copying.
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
        // A small piece must not hold 64 KiB.
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
            // Where the inner stream has ended the outer ones are read on: their ends and checksums count as well.
            guard index > 0, !stage.isInputOver else { return 0 }
            guard try feed(stage, from: index - 1) else { return 0 }
        }
    }

    /// Gives a stage what the one before it has. Returns whether that had anything, or its end, to give.
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
