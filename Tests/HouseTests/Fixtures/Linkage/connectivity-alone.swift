import AirframeConnectivity
import AirframeCore
import AirframeTransport
import HTTPTypes

let engine = ClosureTransport { request in
    TransportResponse(head: HTTPResponse(status: .ok), body: ResponseBody(), request: request.head)
}
let session = Session(transport: ConnectivityLayer(engine), interceptor: .offlineRetrier())
session.request("http://api.test/").resume()
