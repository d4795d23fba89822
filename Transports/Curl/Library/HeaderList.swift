internal import CCurl

/// A list of header lines in the form that libcurl takes.
///
/// A class, because a request that waits and the easy handle that sends it share one list.
/// `@unchecked Sendable`: it is filled by whoever makes it, and immutable once it is shared.
final class HeaderList: @unchecked Sendable {
    private(set) var pointer: UnsafeMutablePointer<curl_slist>?
    private var last: UnsafeMutablePointer<curl_slist>?
    /// What the lines take on an HTTP/1.1 connection, with their ends.
    private(set) var byteCount = 0

    /// Appends a line. One that ends in a colon takes a line of libcurl's own away and is not sent.
    func append(_ line: String) {
        if line.utf8.last != UInt8(ascii: ":") { byteCount += line.utf8.count + 2 }
        line.withCString { append(line: $0) }
    }

    /// Appends a field. Its value's bytes go on the wire as they are; it holds no NUL.
    func append(name: String, value: UnsafeBufferPointer<UInt8>) {
        let capacity = name.utf8.count + value.count + 3
        byteCount += value.isEmpty ? name.utf8.count + 3 : name.utf8.count + value.count + 4
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: capacity) { line in
            var count = 0
            func add(_ byte: UInt8) {
                line[count] = CChar(bitPattern: byte)
                count += 1
            }
            name.utf8.forEach(add)
            // libcurl's way to say that a field has an empty value is a semicolon.
            add(UInt8(ascii: value.isEmpty ? ";" : ":"))
            if !value.isEmpty { add(UInt8(ascii: " ")) }
            value.forEach(add)
            add(0)
            if let start = line.baseAddress { append(line: start) }
        }
    }

    private func append(line: UnsafePointer<CChar>) {
        // libcurl walks to the end of the list it is given: handing it the last node keeps appending linear.
        guard let node = curl_slist_append(last, line) else { return }
        if let last {
            self.last = last.pointee.next
        } else {
            pointer = node
            last = node
        }
    }

    /// The list, which the caller frees from now on.
    func release() -> UnsafeMutablePointer<curl_slist>? {
        defer {
            pointer = nil
            last = nil
        }
        return pointer
    }

    deinit { curl_slist_free_all(pointer) }
}
