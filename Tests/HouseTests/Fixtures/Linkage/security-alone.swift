import AirframeCore
import AirframeSecurity

// A chain of certificates is evaluated without a session.
let trust = ServerTrust(chain: [], host: "api.test")
print(trust.report())
