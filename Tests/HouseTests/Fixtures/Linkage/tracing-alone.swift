import AirframeCore
import AirframeTracing

let monitor: any EventMonitor = TracingMonitor()
print(monitor.isCalledSynchronously)
