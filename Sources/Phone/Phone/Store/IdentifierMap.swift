import Foundation
import RadioModel
import Synchronization

/// The identifiers that apps see for Bluetooth devices, in place of device addresses.
///
/// An identifier stays the same as long as the phone lives, even when the device changes its private address (C5).
package final class IdentifierMap: Sendable {
    private struct State {
        var identifiers: [DeviceAddress: UUID] = [:]
        var addresses: [UUID: DeviceAddress] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    /// The identifier of a device. The first call for a device makes a new one.
    package func identifier(of address: DeviceAddress) -> UUID {
        state.withLock { state in
            if let known = state.identifiers[address] { return known }
            let identifier = UUID()
            state.identifiers[address] = identifier
            state.addresses[identifier] = address
            return identifier
        }
    }

    /// The last known address of a device; nil if this phone did not make the identifier.
    package func address(of identifier: UUID) -> DeviceAddress? { state.withLock { $0.addresses[identifier] } }

    /// Notes that a device has a new address. The device keeps its identifier; a device without one gets none.
    ///
    /// A device that pairs under its identity address is reported with an old address of zeros, which no device has.
    ///
    /// - Parameter isUsed: Whether something depends on an identifier. If the new address already has an identifier in
    ///   use, and the old address's identifier is unused, both addresses get the one in use.
    package func move(
        _ old: DeviceAddress, to new: DeviceAddress, whereUsed isUsed: (UUID) -> Bool = { _ in false }
    ) {
        let (before, known) = state.withLock { ($0.identifiers[old], $0.identifiers[new]) }
        guard let identifier = before else { return }
        let kept = known.flatMap { isUsed($0) && !isUsed(identifier) ? $0 : nil } ?? identifier
        state.withLock { state in
            state.identifiers[old] = kept
            state.identifiers[new] = kept
            state.addresses[kept] = new
        }
    }
}
