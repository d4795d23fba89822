internal import CCurl

/// A list of header lines in the form that libcurl takes.
///
/// A class, because a request that waits and the easy handle that sends it share one list.
/// Nodes and lines lie one behind the other in few blocks of memory; libcurl only reads them.
///
/// `@unchecked Sendable`: its creator fills it before it is shared, and nothing changes it afterwards.
final class HeaderList: @unchecked Sendable {
    /// The list of a request without header fields, which also keeps libcurl from adding its own.
    static let ofNoFields = {
        let list = HeaderList()
        list.append("Accept:")
        return list
    }()

    private(set) var pointer: UnsafeMutablePointer<curl_slist>?
    private var last: UnsafeMutablePointer<curl_slist>?
    /// The size of the lines on an HTTP/1.1 connection, including their ends.
    private(set) var byteCount = 0

    private var blocks: [UnsafeMutableRawPointer] = []
    /// The unused part of the last block.
    private var free = UnsafeMutableRawBufferPointer(start: nil, count: 0)

    private static let blockSize = 768
    private static let nodeSize = MemoryLayout<curl_slist>.stride
    private static let alignment = MemoryLayout<curl_slist>.alignment

    /// Appends a line. A line that ends in a colon removes a field that libcurl would add, and is not sent.
    func append(_ line: String) {
        if line.utf8.last != UInt8(ascii: ":") { byteCount += line.utf8.count + 2 }
        var text = addNode(textSize: line.utf8.count + 1)
        text.append(line)
        text.append(0)
    }

    /// Appends a field. The bytes of the value are sent unchanged and must not contain NUL.
    func append(name: String, value: UnsafeBufferPointer<UInt8>) {
        let nameSize = name.utf8.count
        byteCount += value.isEmpty ? nameSize + 3 : nameSize + value.count + 4
        var text = addNode(textSize: nameSize + value.count + 3)
        text.append(name)
        // libcurl marks a field with an empty value by a semicolon.
        guard !value.isEmpty else {
            text.append(UInt8(ascii: ";"))
            return text.append(0)
        }
        text.append(UInt8(ascii: ":"))
        text.append(UInt8(ascii: " "))
        text.append(value)
        text.append(0)
    }

    /// Appends a trailer field. libcurl 7.88 drops a trailer without a space after its colon.
    func appendTrailer(name: String, value: UnsafeBufferPointer<UInt8>) {
        var text = addNode(textSize: name.utf8.count + value.count + 3)
        text.append(name)
        text.append(UInt8(ascii: ":"))
        text.append(UInt8(ascii: " "))
        text.append(value)
        text.append(0)
    }

    /// Adds a node with room for its line, including the final zero.
    private func addNode(textSize: Int) -> Text {
        let size = (Self.nodeSize + textSize + Self.alignment - 1) / Self.alignment * Self.alignment
        if size > free.count {
            let block = UnsafeMutableRawBufferPointer.allocate(
                byteCount: max(size, Self.blockSize), alignment: Self.alignment)
            if let start = block.baseAddress { blocks.append(start) }
            free = block
        }
        let memory = UnsafeMutableRawBufferPointer(rebasing: free[..<size])
        free = UnsafeMutableRawBufferPointer(rebasing: free[size...])
        let line = UnsafeMutableRawBufferPointer(rebasing: memory[Self.nodeSize...]).bindMemory(to: UInt8.self)
        let node = memory.baseAddress?.bindMemory(to: curl_slist.self, capacity: 1)
        let data = UnsafeMutableRawPointer(line.baseAddress)?.assumingMemoryBound(to: CChar.self)
        node?.initialize(to: curl_slist(data: data, next: nil))
        if let last { last.pointee.next = node } else { pointer = node }
        last = node
        return Text(rest: line)
    }

    /// Memory that is filled from front to back.
    private struct Text {
        var rest: UnsafeMutableBufferPointer<UInt8>

        mutating func append(_ byte: UInt8) {
            rest[0] = byte
            rest = UnsafeMutableBufferPointer(rebasing: rest[1...])
        }

        mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
            let end = UnsafeMutableBufferPointer(rebasing: rest[..<bytes.count]).update(fromContentsOf: bytes)
            rest = UnsafeMutableBufferPointer(rebasing: rest[end...])
        }

        mutating func append(_ string: String) {
            var string = string
            string.withUTF8 { append($0) }
        }
    }

    /// The same lines in memory that libcurl frees.
    func copy() -> UnsafeMutablePointer<curl_slist>? {
        var first: UnsafeMutablePointer<curl_slist>?
        var last: UnsafeMutablePointer<curl_slist>?
        var node = pointer
        while let current = node {
            // libcurl walks to the end of the list: passing the last node keeps appending linear.
            guard let copy = curl_slist_append(last, current.pointee.data) else { break }
            last = last == nil ? copy : copy.pointee.next
            first = first ?? copy
            node = current.pointee.next
        }
        return first
    }

    deinit {
        for block in blocks { block.deallocate() }
    }
}
