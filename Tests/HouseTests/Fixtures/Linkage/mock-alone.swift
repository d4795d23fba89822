import AirframeCore
import AirframeMock
import AirframeSerialization

let mock = MockTransport()
let session = Session(transport: mock)
print(await session.request("http://api.test/").serializingData().response.error as Any)
