import RadioModel

/// What a controller tells its host, beside data.
///
/// Source: Core Specification 6.0, Vol 4, Part E, 7.7.
package enum HCIEvent: Sendable, Equatable {
    /// A command is done. `allowance` is how many commands the controller takes now; the return parameters begin with
    /// the status.
    case commandComplete(HCIOpcode, allowance: Int, returnParameters: [UInt8])
    /// A command began, or failed at once.
    case commandStatus(HCIOpcode, status: HCIError, allowance: Int)
    case disconnectionComplete(ConnectionHandle, status: HCIError, reason: HCIError)
    case encryptionChange(EncryptionChange)
    /// An encrypted link has a new key.
    case encryptionKeyRefreshComplete(ConnectionHandle, status: HCIError)
    /// Data packets that left the controller.
    case completedPackets([CompletedPackets])
    case hardwareError(code: UInt8)
    /// The host sent more data than the controller has buffers for. The link type is 0 for synchronous data, 1 for all
    /// other data.
    case dataBufferOverflow(linkType: UInt8)
    case remoteVersion(RemoteVersion)

    case leConnectionComplete(LEConnectionComplete)
    /// One or more advertisements: legacy, extended, or directed ones for a private address.
    case advertisingReports([AdvertisingReport])
    case leConnectionUpdateComplete(LEConnectionUpdate)
    case leRemoteFeatures(ConnectionHandle, status: HCIError, LEFeatures)
    /// The central encrypts a link, and the controller needs the key.
    case longTermKeyRequest(ConnectionHandle, random: UInt64, diversifier: UInt16)
    /// The other device asks for other parameters of a link, by the link layer.
    case remoteParameterRequest(ConnectionHandle, ConnectionParameters)
    case dataLengthChange(ConnectionHandle, DataLength)
    /// A PHY is nil if its number is unknown.
    case phyUpdateComplete(ConnectionHandle, status: HCIError, tx: LEPHY?, rx: LEPHY?)
    case advertisingSetTerminated(AdvertisingSetEnd)
    /// The duration of an extended scan is over.
    case scanTimeout
    case scanRequestReceived(set: UInt8, scanner: PeerAddress?)
    /// A new link uses channel selection algorithm #1 or #2: `number` is 0 or 1.
    case channelSelectionAlgorithm(ConnectionHandle, number: UInt8)

    /// A classic link.
    case connectionComplete(ClassicConnectionComplete)
    /// A classic device connects. The link type is 1 for data.
    case connectionRequest(DeviceAddress, deviceClass: UInt32, linkType: UInt8)
    case authenticationComplete(ConnectionHandle, status: HCIError)
    case linkKeyRequest(DeviceAddress)
    /// A new link key: 16 bytes, least significant byte first.
    case linkKeyNotification(DeviceAddress, key: [UInt8], type: UInt8)
    case ioCapabilityRequest(DeviceAddress)
    case userConfirmationRequest(DeviceAddress, number: UInt32)
    /// The name of a classic device, UTF-8 without the zeros that fill it up.
    case remoteName(DeviceAddress, status: HCIError, name: [UInt8])
    case remoteSupportedFeatures(ConnectionHandle, status: HCIError, features: UInt64)
    /// The controller's own list of link keys. This host has no use for it.
    case returnLinkKeys
    /// An event that this host does not know. The bytes are its parameters; those of an LE event begin with its code.
    case unknown(code: UInt8, [UInt8])
}

/// The encryption of a link changed.
package struct EncryptionChange: Sendable, Hashable {
    package var handle: ConnectionHandle
    package var status: HCIError
    /// 0 off, 1 on (AES-CCM for LE, E0 for classic), 2 on (AES-CCM for classic).
    package var mode: UInt8
    /// In bytes; nil in version 1 of the event.
    package var keySize: Int?

    package var isOn: Bool { mode != 0 }
}

/// How many data packets of a link left the controller.
package struct CompletedPackets: Sendable, Hashable {
    package var handle: ConnectionHandle
    package var count: Int
}

/// The version of the other controller.
package struct RemoteVersion: Sendable, Hashable {
    package var handle: ConnectionHandle
    package var status: HCIError
    /// The number of the Core Specification's version (Assigned Numbers, 2.1): 13 is 5.4, 14 is 6.0.
    package var version: UInt8
    /// The company that made the controller (Assigned Numbers, 7.1).
    package var company: UInt16
    package var subversion: UInt16
}

/// A new LE link, or why there is none.
///
/// Source: Core Specification 6.0, Vol 4, Part E, 7.7.65.1 and 7.7.65.10.
package struct LEConnectionComplete: Sendable, Hashable {
    package enum Role: Sendable, Hashable {
        case central, peripheral
    }

    package var handle: ConnectionHandle
    package var status: HCIError
    /// This device's role.
    package var role: Role
    /// nil if the kind of the address is unknown.
    package var peer: PeerAddress?
    /// Whether the controller resolved a private address, so that `peer` is the identity.
    package var isResolved: Bool
    /// The private address that the controller made for this device.
    package var localPrivateAddress: DeviceAddress?
    /// The private address that the controller resolved.
    package var peerPrivateAddress: DeviceAddress?
    /// In units of 1.25 ms.
    package var interval: UInt16
    /// Connection events that the peripheral may leave out.
    package var latency: UInt16
    /// The supervision timeout in units of 10 ms.
    package var timeout: UInt16
    /// The advertising set that got the link; nil in version 1 and as a central.
    package var advertisingSet: UInt8?
}

/// New parameters of a link.
package struct LEConnectionUpdate: Sendable, Hashable {
    package var handle: ConnectionHandle
    package var status: HCIError
    /// In units of 1.25 ms.
    package var interval: UInt16
    /// Connection events that the peripheral may leave out.
    package var latency: UInt16
    /// The supervision timeout in units of 10 ms.
    package var timeout: UInt16
}

/// An advertising set ended: with a link, after its duration, or after its number of advertisements.
package struct AdvertisingSetEnd: Sendable, Hashable {
    package var set: UInt8
    package var status: HCIError
    /// The link, if one was made.
    package var handle: ConnectionHandle?
}

/// A new classic link, or why there is none.
package struct ClassicConnectionComplete: Sendable, Hashable {
    package var handle: ConnectionHandle
    package var status: HCIError
    package var address: DeviceAddress
    /// 0 for synchronous data, 1 for all other data.
    package var linkType: UInt8
    package var isEncrypted: Bool
}
