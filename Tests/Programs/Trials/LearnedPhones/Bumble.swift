// Written by `hil learn`. What a line sets was seen in the frame above it; all else is as an iPhone's.
import HIL

extension PhonePersonality {
    /// The phone in bumble-central.btsnoop. Captures do not show its model.
    static let bumble: PhonePersonality = {
        var phone = PhonePersonality(model: "unknown")
        // frame 29 of bumble-central.btsnoop: interval 15 to 30 ms, latency 0, supervision timeout 720 ms
        phone.bluetooth.connection = ConnectionParameters(
            milliseconds: 15...30, latency: 0, timeout: .milliseconds(720))
        // frame 29 of bumble-central.btsnoop: 60 of 60 ms
        phone.bluetooth.connectionScan = BluetoothHabits.Scan(interval: 60, window: 60, isActive: true)
        // frame 32 of bumble-central.btsnoop: 517 bytes
        phone.bluetooth.mtu = 517
        // frame 29 of bumble-central.btsnoop: it never asks for a PHY
        phone.bluetooth.phyMoment = .never
        // frame 29 of bumble-central.btsnoop: it never reads the version
        phone.bluetooth.versionMoment = .never
        // frame 29 of bumble-central.btsnoop: it never reads the features
        phone.bluetooth.featuresMoment = .never
        // frame 29 of bumble-central.btsnoop: it sends no frame on an unassigned channel
        phone.bluetooth.greeting = BluetoothHabits.Greeting.none
        // frame 68 of bumble-central.btsnoop: NoInputNoOutput, authentication bonding, MITM, secure connections, keys
        // encryption, identity, from the accessory encryption, identity
        phone.bluetooth.pairing = PairingHabits(
            capability: .noInputNoOutput, bonds: true, authenticates: true,
            isSecure: true, tellsKeypresses: false,
            supportsH7: false, keySize: 16, givenKeys: [.encryption, .identity],
            wantedKeys: [.encryption, .identity])
        // frame 35 of bumble-central.btsnoop: it reads all services by Read By Group Type
        phone.bluetooth.serviceSearch = .all
        // frame 44 of bumble-central.btsnoop: it goes on after the declaration
        phone.bluetooth.continuesAfterValue = false
        // frame 62 of bumble-central.btsnoop: it finds the descriptor, and does not subscribe
        phone.bluetooth.subscribesToServiceChanged = .never
        // frame 29 of bumble-central.btsnoop: its address is random and static
        phone.bluetooth.hasPrivateAddress = false
        return phone
    }()
}
