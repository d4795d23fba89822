import AirframeSocket
import AirframeTransport
import HTTPTypes

let engine = SocketTransport()
let head = HTTPRequest(method: .get, scheme: "http", authority: "api.test", path: "/")
let response = try await engine.send(TransportRequest(head))
print(try await response.body.collect(upTo: 1 << 20).count)
