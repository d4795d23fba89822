import AirframeCore
import AirframeLogging
import AirframeSerialization
import AirframeTransport
import HTTPTypes

let loggers: [any EventMonitor] = [RequestLogger(), ConsoleLogger(), CURLLogger()]
let engine = ClosureTransport { request in
    TransportResponse(head: HTTPResponse(status: .ok), body: ResponseBody(), request: request.head)
}
let session = Session(transport: engine, eventMonitors: loggers)
print(await session.request("http://api.test/").serializingString(emptyResponseCodes: [200]).result)
