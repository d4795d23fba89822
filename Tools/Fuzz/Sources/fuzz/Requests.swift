internal import AirframeSocket
internal import AirframeTransport
internal import HTTPTypes

/// Builds a request from the bytes, and checks that the encoded bytes are one request: a line for each field and no
/// more.
///
/// The input's lines: method, scheme, authority, path, framing, then a name and a value in turn.
@_cdecl("fuzzRequests")
func fuzzRequests(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let parts = Array(UnsafeBufferPointer(start: data, count: count)).split(
        separator: 10, omittingEmptySubsequences: false)
    func text(_ index: Int) -> String { index < parts.count ? String(decoding: parts[index], as: UTF8.self) : "" }
    guard let method = HTTPRequest.Method(rawValue: text(0)) else { return 0 }
    var request = HTTPRequest(method: method, scheme: text(1), authority: text(2), path: text(3))
    for index in stride(from: 5, to: parts.count - 1, by: 2) {
        guard let name = HTTPField.Name(text(index)) else { continue }
        request.headerFields.append(HTTPField(name: name, lenientValue: parts[index + 1]))
    }
    let content = content(text(4))
    for form in [RequestHead.Form.origin, .absolute] {
        var buffer: [UInt8] = [255]
        let head = RequestHead(request, form: form, content: content, expectsContinue: text(4).contains("e"))
        guard (try? HTTP1RequestWriter.write(head, to: &buffer)) != nil else {
            hold(buffer == [255], "a refused request left something behind")
            continue
        }
        check(Array(buffer.dropFirst()), fields: request.headerFields)
    }
    return 0
}

private func content(_ text: String) -> RequestContentLength {
    switch text.utf8.first {
    case UInt8(ascii: "n"): .none
    case UInt8(ascii: "c"): .unknown
    default: .length(Int64(text.filter(\.isNumber)) ?? 0)
    }
}

private func check(_ bytes: [UInt8], fields: HTTPFields) {
    func fail(_ what: String) { hold(false, "\(what):\n\(String(decoding: bytes, as: UTF8.self).debugDescription)") }
    hold(!bytes.contains(0), "NUL")
    var lines: [ArraySlice<UInt8>] = []
    var start = 0
    for index in bytes.indices where bytes[index] == 10 {
        guard index > 0, bytes[index - 1] == 13 else { return fail("a bare line feed") }
        lines.append(bytes[start..<index - 1])
        start = index + 1
    }
    guard start == bytes.count, lines.count >= 3, lines.last?.isEmpty == true else {
        return fail("no empty line at the end")
    }
    guard !lines.contains(where: { $0.contains(13) }) else { return fail("a bare carriage return") }
    guard lines.dropLast().allSatisfy({ !$0.isEmpty }) else { return fail("an empty line within") }
    guard lines[0].count(where: { $0 == 32 }) == 2, lines[0].suffix(9).elementsEqual(" HTTP/1.1".utf8) else {
        return fail("a request line of other than three parts")
    }
    guard lines[1].starts(with: "Host: ".utf8) else { return fail("Host is not the first") }
    for line in lines.dropFirst().dropLast() {
        guard let colon = line.firstIndex(of: 58),
            HTTPField.Name(String(decoding: line[..<colon], as: UTF8.self)) != nil
        else { return fail("a line without a name") }
    }
    // The request's own, Host, framing, Expect, two connection options.
    guard lines.count - 2 <= fields.count + 5 else { return fail("more fields than there were") }
    func number(_ name: String) -> Int {
        lines.count { String(decoding: $0.prefix(name.utf8.count), as: UTF8.self).lowercased() == name }
    }
    guard number("host:") == 1, number("content-length:") + number("transfer-encoding:") <= 1 else {
        return fail("two hosts, or two framings")
    }
}
