internal import AirframeReachability

let path = try NetworkPathMonitor().currentPath()
print(path.isSatisfied, NetworkReachabilityManager()?.status ?? .unknown)
