import RadioModel

/// Names a request to the stack.
package struct StackRequestID: Sendable, Hashable {
    let number: Int
}

/// What the phone wants.
package enum StackRequest: Sendable {
    /// Connects. The answer comes when the link is up; with a bond, when it is encrypted.
    case connect(DeviceAddress)
    /// Ends the link. The answer comes when it is over.
    case disconnect(DeviceAddress)
    /// Pairs. The person may be asked.
    case pair(DeviceAddress)
    /// Uses the device's services.
    case gatt(DeviceAddress, GATTClient.Action)
    case writeWithoutResponse(DeviceAddress, UInt16, [UInt8])
    case openChannel(DeviceAddress, psm: UInt16)
    /// The strength of the signal.
    case signal(DeviceAddress)
    /// One command to the controller as it is.
    case command(HCICommand)
    /// Connects a bonded device by classic Bluetooth as well, and opens the channel with this PSM. The answer comes when
    /// that link is over.
    case bridge(DeviceAddress, psm: UInt16)
}

/// The result of a request.
package enum StackAnswer: Sendable {
    case done
    case gatt(GATTResult)
    /// The pairing's strength, and whether both ends keep the keys.
    case paired(Bond, isBonded: Bool)
    /// A channel, and the longest packet in bytes that the device takes.
    case channel(LocalChannel, mtu: UInt16)
    /// In dBm.
    case signal(Int)
    /// The status of a command, and the return parameters after it.
    case command(HCIError, [UInt8])
    case bridged(ClassicLink)
}

/// Why a request failed.
package enum StackFailure: Error, Sendable, CustomStringConvertible {
    /// Bluetooth is off.
    case off
    /// The controller is broken, in words.
    case controllerFailed(String)
    /// The controller refused a command.
    case refused(HCIError)
    case unknownDevice(DeviceAddress)
    case notConnected
    case notEstablished(ConnectFailure)
    /// The device does not know the key of the bond any more.
    case bondRefused(HCIError)
    /// The link has ended before it could be used.
    case linkEnded(HCIError)
    case pairing(PairingEnd)
    case gatt(GATTFailure)
    case channel(L2CAPRefusal)
    case bridging(BridgingFailure)
    /// The request is not possible now, in words.
    case invalid(String)

    package var description: String {
        switch self {
        case .off: "Bluetooth is off"
        case .controllerFailed(let text): text
        case .refused(let status): "the controller refused: \(status)"
        case .unknownDevice(let address): "the device \(address) was never heard"
        case .notConnected: "there is no link"
        case .notEstablished(let failure): "\(failure)"
        case .bondRefused(let error): "authentication failed: \(error)"
        case .linkEnded(let reason): "\(reason)"
        case .pairing(let end): "\(end)"
        case .gatt(let failure): "\(failure)"
        case .channel(let refusal): "\(refusal)"
        case .bridging(let failure): "\(failure)"
        case .invalid(let text): text
        }
    }
}
