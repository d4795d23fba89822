/// The way in which a monitor observes one request, returned by ``EventMonitor/monitoring(_:)``.
public enum RequestMonitoring: Sendable {
    /// The monitor receives the request's events, as those of other requests.
    case shared
    /// The monitor receives no events of the request, which then costs nothing.
    case ignored
    /// Another monitor receives the events of this request alone. It can store state without a table of requests.
    case own(any EventMonitor)
}
