import Foundation
import RadioModel
import Synchronization

/// The identifiers under which apps know Bluetooth devices, in place of their addresses.
///
/// An identifier stays the same for as long as the phone lives, also when the device changes a private address (C5).
public final class IdentifierMap: Sendable {
    private struct State {
        var identifiers: [DeviceAddress: UUID] = [:]
        var addresses: [UUID: DeviceAddress] = [:]
    }

    private let state = Mutex(State())

    public init() {}

    /// The identifier of a device, made when it is first asked for.
    public func identifier(of address: DeviceAddress) -> UUID {
        state.withLock { state in
            if let known = state.identifiers[address] { return known }
            let identifier = UUID()
            state.identifiers[address] = identifier
            state.addresses[identifier] = address
            return identifier
        }
    }

    /// The address under which a device was last heard; nil for an identifier of another phone.
    public func address(of identifier: UUID) -> DeviceAddress? { state.withLock { $0.addresses[identifier] } }

    /// The device is now heard under another address, and keeps its identifier.
    ///
    /// - Parameter isUsed: Whether something depends on an identifier. Where the new address has one that is in use, and the
    ///   old one's is not, the device has that from here on, under both.
    public func move(
        _ old: DeviceAddress, to new: DeviceAddress, whereUsed isUsed: (UUID) -> Bool = { _ in false }
    ) {
        let identifier = identifier(of: old)
        let known = state.withLock { $0.identifiers[new] }
        let kept = known.flatMap { isUsed($0) && !isUsed(identifier) ? $0 : nil } ?? identifier
        state.withLock { state in
            state.identifiers[old] = kept
            state.identifiers[new] = kept
            state.addresses[kept] = new
        }
    }
}
