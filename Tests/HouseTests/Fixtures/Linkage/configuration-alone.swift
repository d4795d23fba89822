import AirframeConfiguration
import AirframeCore
import Configuration

// A configuration from memory, without a session.
let configuration = URLSessionConfiguration.af.default
let reader = ConfigReader(provider: InMemoryProvider(values: ["timeout.request": 5]))
try configuration.apply(reader)
print(configuration.timeoutIntervalForRequest)
