// Written by `hil learn`. What a line sets was seen in the frame above it; all else is as an iPhone's.
import HIL

extension PhonePersonality {
    /// The phone in bluez-central.pcapng. Captures do not show its model.
    static let blueZ: PhonePersonality = {
        var phone = PhonePersonality(model: "unknown")
        // frame 106 of bluez-central.pcapng: interval 30 to 50 ms, latency 0, supervision timeout 420 ms
        phone.bluetooth.connection = ConnectionParameters(
            milliseconds: 30...50, latency: 0, timeout: .milliseconds(420))
        // frame 106 of bluez-central.pcapng: 60 of 60 ms
        phone.bluetooth.connectionScan = BluetoothHabits.Scan(interval: 60, window: 60, isActive: true)
        // frame 89 of bluez-central.pcapng: 11.25 of 11.25 ms, active
        phone.bluetooth.scan = BluetoothHabits.Scan(interval: 11.25, window: 11.25, isActive: true)
        // frame 133 of bluez-central.pcapng: 517 bytes
        phone.bluetooth.mtu = 517
        // frame 210 of bluez-central.pcapng: it exchanges the MTU after encryption
        phone.bluetooth.mtuMoment = .encrypted
        // frame 106 of bluez-central.pcapng: it never reads the version
        phone.bluetooth.versionMoment = .never
        // frame 202 of bluez-central.pcapng: it reads the features before encryption
        phone.bluetooth.featuresMoment = .connected
        // frame 106 of bluez-central.pcapng: it sends no frame on an unassigned channel
        phone.bluetooth.greeting = BluetoothHabits.Greeting.none
        // frame 113 of bluez-central.pcapng: KeyboardDisplay, authentication bonding, MITM, secure connections, keys
        // encryption, signing, from the accessory encryption, identity, signing
        phone.bluetooth.pairing = PairingHabits(
            capability: .keyboardDisplay, bonds: true, authenticates: true,
            isSecure: true, tellsKeypresses: false,
            supportsH7: false, keySize: 16, givenKeys: [.encryption, .signing],
            wantedKeys: [.encryption, .identity, .signing])
        // frame 205 of bluez-central.pcapng: it encrypts a link with the key of the bond, unasked
        phone.bluetooth.encryptsAtOnce = true
        // frame 139 of bluez-central.pcapng: it reads all services by Read By Group Type
        phone.bluetooth.serviceSearch = .all
        // frame 106 of bluez-central.pcapng: its address is public
        phone.bluetooth.hasPrivateAddress = false
        return phone
    }()
}
