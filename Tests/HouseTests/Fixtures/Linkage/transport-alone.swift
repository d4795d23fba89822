import AirframeLayers
import AirframeTransport
import HTTPTypes

let engine = ClosureTransport { request in
    TransportResponse(head: HTTPResponse(status: .ok), body: ResponseBody(), request: request.head)
}
let head = HTTPRequest(method: .get, scheme: "http", authority: "api.test", path: "/")
let response = try await RedirectLayer(engine).send(TransportRequest(head))
print(try await response.body.collect(upTo: 1 << 20).count)
