/// Values for layers that are set before there is a `TransportRequest`.
///
/// Two instances are equal if they are the same object: the values can be of any type and need not be comparable.
package final class LayerValues: Sendable, Hashable {
    let values: [ObjectIdentifier: any Sendable]

    private init(_ values: [ObjectIdentifier: any Sendable]) { self.values = values }

    /// Copies `base`, with the value under `key` added or replaced.
    package convenience init<Key: TransportRequestKey>(
        _ base: LayerValues?,
        setting value: Key.Value,
        for key: Key.Type
    ) {
        self.init((base?.values ?? [:]).merging([ObjectIdentifier(key): value]) { $1 })
    }

    /// Returns the values of both; those of `overrides` take precedence.
    package static func merging(_ base: LayerValues?, _ overrides: LayerValues?) -> LayerValues? {
        guard let base, let overrides else { return base ?? overrides }
        return LayerValues(base.values.merging(overrides.values) { $1 })
    }

    /// Returns the value that was set under `key`; `nil` if there is none.
    package func stored<Key: TransportRequestKey>(_ key: Key.Type) -> Key.Value? {
        guard let value = values[ObjectIdentifier(key)] else { return nil }
        return value as? Key.Value
    }

    /// Returns the value under `key`, or the key's default.
    package func value<Key: TransportRequestKey>(for key: Key.Type) -> Key.Value {
        guard let value = values[ObjectIdentifier(key)] else { return Key.defaultValue }
        return value as? Key.Value ?? Key.defaultValue
    }

    package static func == (left: LayerValues, right: LayerValues) -> Bool { left === right }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
