internal import AirframeLayers
internal import AirframeTransport

extension LayerStack {
    /// The layers of a session of AirframeCore: those of `configuration`, with redirects, HSTS and the layers of the
    /// monitors. A module with more layers provides them before it creates the transport.
    package init(_ configuration: URLSessionConfiguration, monitors: [any EventMonitor]) {
        self = configuration.layers
        let rules = configuration.redirectRules
        provide(.redirects) { RedirectLayer.isAround($0) ? $0 : RedirectLayer($0, rules: rules) }
        let (store, httpsOnly) = (configuration.strictTransportSecurity, configuration.httpsOnly)
        if store != nil || httpsOnly {
            provide(.strictTransportSecurity) {
                HSTSLayer.isAround($0) ? $0 : HSTSLayer($0, store: store ?? HSTSStore(), httpsOnly: httpsOnly)
            }
        }
        insert(below: .monitoring) { RequestOverridesLayer(base: $0) }
        // The first monitor's layer is outermost.
        provide(.monitoring) { transport in
            monitors.reversed().reduce(transport) { layered, monitor in
                (monitor as? any AccompanyingMonitor)?.layer(over: layered) ?? layered
            }
        }
    }
}
