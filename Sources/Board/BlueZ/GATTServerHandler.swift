import FoundationEssentials
import HILDBus
import RadioModel

/// Handles accesses of the peers of a GATT server. Called on the bus's thread, in order; must not block.
package struct GATTServerHandler: Sendable {
    /// One access of a peer.
    package struct Access: Sendable {
        package let attribute: LocalAttribute
        /// The UUID of the attribute.
        package var characteristic: BluetoothUUID { attribute.uuid }
        /// The peer; nil if bluetoothd does not say.
        package let device: DeviceAddress?
        /// The offset in the value, in bytes.
        package let offset: Int
        /// The ATT MTU of the link in bytes; nil if bluetoothd does not say.
        package let mtu: Int?

        package init(attribute: LocalAttribute, device: DeviceAddress? = nil, offset: Int = 0, mtu: Int? = nil) {
            self.attribute = attribute
            self.device = device
            self.offset = offset
            self.mtu = mtu
        }
    }

    /// Responds to a read with the whole value, now or later, once. The server cuts it at the offset.
    package typealias RespondWithValue = @Sendable (Result<Data, AttributeErrorCode.Refusal>) -> Void
    /// Responds to a write, now or later, once.
    package typealias Respond = @Sendable (Result<Void, AttributeErrorCode.Refusal>) -> Void

    package var read: @Sendable (Access, @escaping RespondWithValue) -> Void
    /// Handles a written value. It must respond before it notifies anything in return.
    package var write: @Sendable (Access, Data, @escaping Respond) -> Void
    /// Called with true when the first peer has subscribed, and with false when the last has unsubscribed.
    package var subscribe: @Sendable (LocalAttribute, Bool) -> Void
    /// Called when a peer has confirmed an indication.
    package var confirmed: @Sendable (LocalAttribute) -> Void

    package init(
        read: @escaping @Sendable (Access, @escaping RespondWithValue) -> Void,
        write: @escaping @Sendable (Access, Data, @escaping Respond) -> Void,
        subscribe: @escaping @Sendable (LocalAttribute, Bool) -> Void,
        confirmed: @escaping @Sendable (LocalAttribute) -> Void = { _ in }
    ) {
        self.read = read
        self.write = write
        self.subscribe = subscribe
        self.confirmed = confirmed
    }
}

extension AttributeErrorCode {
    /// The refusal of an access by a server.
    package struct Refusal: Error, Sendable, Hashable {
        package let code: AttributeErrorCode
        package init(_ code: AttributeErrorCode) { self.code = code }

        /// The D-Bus error that makes bluetoothd send the code, and its text.
        ///
        /// bluetoothd has names for some codes, and takes a number for those of applications (0x80 to 0x9F). It turns
        /// any other into 0x0E, "Unlikely Error".
        var busError: (name: String, text: String) {
            switch code {
            case .readNotPermitted, .writeNotPermitted: (BlueZ.ErrorName.notPermitted, "")
            case .invalidOffset: (BlueZ.ErrorName.invalidOffset, "")
            case .invalidLength: (BlueZ.ErrorName.invalidValueLength, "")
            case .insufficientAuthorization: (BlueZ.ErrorName.notAuthorized, "")
            case .requestNotSupported: (BlueZ.ErrorName.notSupported, "")
            case .procedureInProgress: (BlueZ.ErrorName.inProgress, "")
            case .improperlyConfigured: (BlueZ.ErrorName.improperlyConfigured, "")
            default: (BlueZ.ErrorName.failed, "0x\(Hex.text([code.rawValue]))")
            }
        }
    }
}
