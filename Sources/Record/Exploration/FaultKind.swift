/// What goes wrong in a trial, apart from the faults that a team adds.
package enum FaultKind: String, Sendable, Hashable, Codable, CaseIterable {
    case packetDropped
    case packetDoubled
    /// The packet arrives a second late.
    case packetHeld
    /// The packet does not arrive, nor any after it on the same radio, until the link is given up.
    case linkLost
    /// Phone and accessory are out of each other's range for 5 s.
    case outOfRange
    /// The person switches Bluetooth off, and on again a second later.
    case bluetoothOff
    /// The person switches Wi-Fi off, and on again a second later.
    case wifiOff
    case personCancels
    /// The person does nothing for 30 s.
    case personWaits
    /// The app is suspended for 5 s.
    case appSuspended
    /// The app ends, and the person launches it again.
    case appEnded
    /// The accessory's program is killed, and started again.
    case programKilled
    /// The accessory has no power for a second.
    case powerCut
    /// The accessory's bluetoothd is killed, and started again.
    case bluetoothdKilled
    /// The accessory's hostapd is killed, and started again.
    case hostapdKilled
    /// The home's network is gone for 5 s.
    case networkGone

    /// How long the journey may stand still because of it, in seconds.
    package var seconds: Double {
        switch self {
        case .packetDropped, .packetDoubled: 0
        case .packetHeld: 1
        case .linkLost: 6
        case .outOfRange, .appSuspended, .networkGone: 5
        case .bluetoothOff, .wifiOff: 2
        case .personCancels, .appEnded: 0
        case .personWaits: 30
        case .programKilled, .powerCut, .bluetoothdKilled, .hostapdKilled: 5
        }
    }

    /// How many trials it has, after its first, while another fault has one. A lost link is what users report most.
    package var weight: Int { self == .linkLost ? 3 : 1 }

    /// What happens, as the beginning of a sentence: `the link is lost`.
    package var clause: String {
        switch self {
        case .packetDropped: "the packet is lost"
        case .packetDoubled: "the packet arrives twice"
        case .packetHeld: "the packet is a second late"
        case .linkLost: "the link is lost"
        case .outOfRange: "phone and accessory are out of range for 5 s"
        case .bluetoothOff: "the person switches Bluetooth off and on"
        case .wifiOff: "the person switches Wi-Fi off and on"
        case .personCancels: "the person cancels"
        case .personWaits: "the person does nothing for 30 s"
        case .appSuspended: "the app is suspended for 5 s"
        case .appEnded: "the app ends and is launched again"
        case .programKilled: "the accessory's program is killed and starts again"
        case .powerCut: "the accessory has no power for a second"
        case .bluetoothdKilled: "the accessory's bluetoothd is killed and starts again"
        case .hostapdKilled: "the accessory's hostapd is killed and starts again"
        case .networkGone: "the home's network is gone for 5 s"
        }
    }

    /// The controls by which a person refuses.
    package static let refusals: Set<String> = ["cancel", "deny", "refusePasskey"]

    /// Why it makes no sense at a moment; nil if it makes sense.
    package func nonsense(at place: JourneyMoment) -> String? {
        let layer = place.moment.layer
        switch self {
        case .packetDropped, .packetDoubled:
            if layer.isBluetooth {
                return "Bluetooth's link layer repeats a packet until it arrives once, or the link is lost"
            }
            return layer.isPacket ? nil : "no packet is under way"
        case .packetHeld: return layer.isPacket ? nil : "no packet is under way"
        case .linkLost:
            if layer == .wifi { return nil }
            return place.hasLink ? nil : "no link is up"
        case .outOfRange:
            return place.hasLink || place.hasWiFi ? nil : "phone and accessory have not found each other"
        case .bluetoothOff: return layer == .wifi ? "no packet of Bluetooth is under way" : nil
        case .wifiOff, .networkGone, .hostapdKilled: return place.hasWiFi ? nil : "no network is in use"
        case .personCancels:
            guard layer == .screen else { return "no screen appears" }
            let canRefuse = place.controls.contains(where: Self.refusals.contains)
            return canRefuse ? nil : "the screen has nothing to cancel"
        case .personWaits: return layer == .screen ? nil : "no screen appears"
        case .appSuspended, .appEnded: return place.hasApp ? nil : "no app runs"
        case .programKilled, .powerCut, .bluetoothdKilled: return nil
        }
    }
}
