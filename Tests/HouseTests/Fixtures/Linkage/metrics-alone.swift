import AirframeCore
import AirframeMetrics

let monitor: any EventMonitor = MetricsMonitor()
print(monitor.isCalledSynchronously)
