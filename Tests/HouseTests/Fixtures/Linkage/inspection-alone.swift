import AirframeCore
import AirframeInspection
import AirframeSerialization
import AirframeTransport
import HTTPTypes

let engine = ClosureTransport { request in
    TransportResponse(head: HTTPResponse(status: .ok), body: ResponseBody(), request: request.head)
}
let session = Session(transport: engine, eventMonitors: [try Inspector()])
print(await session.request("http://api.test/").serializingString(emptyResponseCodes: [200]).result)
