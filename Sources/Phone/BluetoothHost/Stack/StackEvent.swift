import RadioModel

/// What happens without a request.
package enum StackEvent: Sendable {
    /// Bluetooth is on.
    case poweredOn(ControllerInformation)
    /// Bluetooth is off, as it was wished.
    case poweredOff
    /// The controller cannot be used any more, in words. Bluetooth is off.
    case failed(String)
    /// This is the phone's address in the air from now on.
    case addressChanged(PeerAddress)
    case heard(Discovery)
    case advertising(AdvertisingPlan)
    /// A link is up. The role is this phone's.
    case connected(DeviceAddress, LEConnectionComplete.Role)
    /// A link is over. `violation` says what the peer did wrong, if that was the reason.
    case disconnected(DeviceAddress, HCIError, violation: String?)
    /// A request failed for want of a proper answer, and its link is about to end, in words.
    case requestFailed(DeviceAddress, String)
    /// A device did not answer on a new link and is tried again.
    case retrying(DeviceAddress, tries: Int)

    /// The person compares this number of six digits with that of the device.
    case compare(DeviceAddress, UInt32)
    /// The person enters this number on the device.
    case showPasskey(DeviceAddress, UInt32)
    /// The person enters the number that the device shows.
    case askPasskey(DeviceAddress)
    /// The person is asked whether to pair.
    case askConsent(DeviceAddress)
    /// The device is known by its identity address from now on.
    case identified(DeviceAddress, as: DeviceAddress)
    /// A pairing is done. Without a bond the keys are for this link only.
    case paired(DeviceAddress, Bond, isBonded: Bool)
    case pairingFailed(DeviceAddress, PairingEnd)
    /// The link has a new protection.
    case protected(DeviceAddress, LinkSecurity)
    /// The key of the bond does not encrypt the link: the device has lost it, for example.
    case bondRefused(DeviceAddress, HCIError)

    case value(DeviceAddress, handle: UInt16, [UInt8])
    case servicesChanged(DeviceAddress, HandleRange)
    /// The ATT MTU of the link, in bytes.
    case mtu(DeviceAddress, Int)
    /// The device asks for other connection parameters. ``BluetoothStack/answerParameters(_:of:accepted:at:)`` answers.
    case parametersRequested(DeviceAddress, ConnectionParameters, identifier: UInt8)
    case parametersChanged(DeviceAddress, LEConnectionUpdate)
    case dataLength(DeviceAddress, DataLength)
    case phys(DeviceAddress, tx: LEPHY?, rx: LEPHY?)
    /// Writes without response may go on.
    case ready(DeviceAddress)

    /// The device has opened a channel.
    case channelOpened(DeviceAddress, LocalChannel, psm: UInt16, mtu: UInt16)
    case channelData(DeviceAddress, LocalChannel, [UInt8])
    /// A packet has left the channel.
    case channelSent(DeviceAddress, LocalChannel)
    case channelClosed(DeviceAddress, LocalChannel, ChannelEnd)

    /// The device uses the phone's own services: the request waits for
    /// ``BluetoothStack/answer(_:of:_:at:)``.
    case asked(DeviceAddress, AttributeServer.RequestToken, AttributeServer.Request)
    case subscribed(DeviceAddress, handle: UInt16, isOn: Bool)
    case confirmed(DeviceAddress, handle: UInt16)
    case written(DeviceAddress, handle: UInt16, [UInt8])

    /// Something odd that does no harm, in words; nil if no device is concerned.
    case note(DeviceAddress?, String)
}
