/// What a monitor makes of one request, when it is asked in ``EventMonitor/monitoring(_:)``.
public enum RequestMonitoring: Sendable {
    /// The monitor is told of the request, as of all others.
    case shared
    /// The monitor is told nothing of the request, which then costs nothing.
    case ignored
    /// Another monitor is told in its place: one of the request's own, that can keep what it hears of it without a
    /// table of requests.
    case own(any EventMonitor)
}
