import AirframeCore
import AirframeSecurity

// A chain that came from elsewhere, judged without a session.
let trust = ServerTrust(chain: [], host: "api.test")
print(trust.report())
