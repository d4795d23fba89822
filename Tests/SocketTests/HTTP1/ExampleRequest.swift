import AirframeSocket
import AirframeTransport
import HTTPTypes

/// A request's head as text.
func written(_ head: RequestHead) throws(TransportError) -> String {
    var buffer: [UInt8] = []
    _ = try HTTP1RequestWriter.write(head, to: &buffer)
    return String(decoding: buffer, as: UTF8.self)
}

/// A head with fields in order, repeats included.
func request(
    _ method: HTTPRequest.Method = .get,
    _ authority: String? = "api.test",
    _ path: String? = "/",
    scheme: String = "http",
    fields: [(String, String)] = []
) -> HTTPRequest {
    var request = HTTPRequest(method: method, scheme: scheme, authority: authority, path: path)
    for (name, value) in fields {
        guard let name = HTTPField.Name(name) else { continue }
        request.headerFields.append(HTTPField(name: name, value: value))
    }
    return request
}
