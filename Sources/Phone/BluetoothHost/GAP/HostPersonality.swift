import RadioModel

/// All values in which the Bluetooth of one kind of phone differs from that of others.
///
/// Each value has its source in its description, or says “assumed”; Fixtures/Personalities/iPhone.md quotes the sources. A value without either is the specification's, or a
/// limit that protects the host.
package struct HostPersonality: Sendable, Hashable {
    /// The controller's start.
    package var start = Initialisation.Configuration()
    /// Commands and data of the controller.
    package var controller = ControllerChannel.Configuration()
    /// Addresses, scans, connections, advertising.
    package var access = GenericAccess.Configuration()
    /// Scans for an app that the person sees.
    package var foregroundScan = ScanSettings()
    /// Scans for apps in the background.
    package var backgroundScan = ScanSettings()
    /// What the phone asks for on a new link.
    package var link = LinkProcedures()
    package var channels = L2CAPConfiguration()
    /// Bridging to classic Bluetooth.
    package var classic = ClassicProcedures()
    package var pairing = PairingFeatures()
    package var security = SecurityPolicy()
    package var attributeClient = AttributeClient.Configuration()
    package var attributeServer = AttributeServer.Configuration()
    package var gattClient = GATTClient.Configuration()

    package init() {}

    /// An iPhone of today.
    package static let iPhone = makeIPhone()

    private static func makeIPhone() -> HostPersonality {
        var phone = HostPersonality()
        phone.setController()
        phone.setAddresses()
        phone.setScans()
        phone.setConnections()
        phone.setAdvertising()
        phone.setPairing()
        phone.setAttributes()
        return phone
    }
}

// An iPhone's values, each with its source. Those of `LinkProcedures`, `ConnectionPhases` and `ClassicProcedures` are in
// these types.
extension HostPersonality {
    private mutating func setController() {
        // LE Length Request of 251 bytes and 2120 µs: bluez/bluez#650, petzval/btferret#73.
        start.defaultDataLength = link.dataLength
        // The link begins on 1M, and the phone asks for 2M by itself: zephyrproject-rtos/zephyr#89889.
        start.defaultPHYs = nil
        // Not set in the features of an iPhone 7 with iOS 13.4, abandonware/noble#97; for later phones assumed.
        start.lowEnergyEvents.remove(.remoteConnectionParameterRequest)
    }

    private mutating func setAddresses() {
        // Resolvable private addresses of the host: bluez/bluez#650, abandonware/noble#96.
        access.addresses.isPrivate = true
        // Between 10 and 19 minutes with iOS 18.3, furiousMAC/continuity#10; exactly 15 minutes are assumed.
        access.addresses.rotation = .seconds(15 * 60)
    }

    private mutating func setScans() {
        // 30 of 40 ms “apparently”: newbe.dev/ble-scan-interval-and-window. Active scans are assumed: apps see the
        // names of scan responses.
        foregroundScan.isActive = true
        (foregroundScan.interval, foregroundScan.window) = (64, 48)
        // Slower, by Apple's documentation in don/cordova-plugin-ble-central#984; the numbers are assumed.
        (backgroundScan.interval, backgroundScan.window) = (512, 48)
        // Only passive in the background: pauldemarco/flutter_blue#895. Duplicates are merged, by Apple's
        // documentation.
        (backgroundScan.isActive, backgroundScan.dropsDuplicates) = (false, true)
        // The phone decides itself which repetitions an app sees. Assumed.
        foregroundScan.dropsDuplicates = false
    }

    private mutating func setConnections() {
        // 30 of 30 ms: capture of an iPhone 7, abandonware/noble#96.
        (access.connector.scanInterval, access.connector.scanWindow) = (48, 48)
        // “Tens of times” in 20 to 40 s: espressif/esp-idf#12911 and #14875; 20 is assumed.
        access.connector.establishmentTries = 20
        // The app's wish has no time limit, innoveit/react-native-ble-manager#313; that of one attempt is assumed.
        access.connector.limit = .seconds(10)
        // 0x13: abandonware/noble#97.
        access.connector.endReason = .remoteUserEnded
    }

    private mutating func setAdvertising() {
        // Flags 0x1A: furiousMAC/continuity#10. 28 and 10 bytes: Apple's documentation of `startAdvertising`.
        access.advertiser.layout = AdvertisingLayout()
        // No source has the interval of an app's advertising; 152.5 ms is assumed.
        access.advertiser.interval = 244...244
        // Slower in the background, says Apple forum thread 814450; 1022.5 ms is assumed.
        access.advertiser.backgroundInterval = 1636...1636
    }

    private mutating func setPairing() {
        // `04 00 0D 10 03 03`: noble/noble#243, of 2015. The link key is assumed since iOS 13, which derives a classic
        // key by WWDC 2019/901. No signing key since iOS 8.2: lionheart/openradar-mirror#1393.
        pairing.capability = .keyboardDisplay
        pairing.initiatorKeys = [.encryption, .identity, .link]
        pairing.responderKeys = [.encryption, .identity, .link]
        pairing.maximumKeySize = 16
        // Neither CT2 nor keypress in 0x0D; for later phones assumed.
        (pairing.supportsCT2, pairing.supportsKeypress) = (false, false)
        // The person is asked even for Just Works: bluez/bluez#650, tcoppex/mbed-ble-hid#8.
        pairing.consent = .always
        // Without a bond it pairs, with one it encrypts: NordicSemiconductor/ble-sdk-arduino#15,
        // coredevices/mobileapp#289.
        (security.unpaired, security.bonded) = (.pair, .encrypt)
        // wonderslug/esphome-ancs#15 saw a failure, which may be the accessory's own. Assumed.
        security.encrypting = .ignore
        // The person may try again at once. Assumed.
        security.limitsOwnAttempts = false
    }

    private mutating func setAttributes() {
        // noble/bleno#240, Jieli-Tech/fw-AC63_BT_SDK#99. Without Data Length Extension `LinkProcedures` has another
        // one.
        attributeClient.offeredMTU = link.mtu
        attributeServer.offeredMTU = link.mtu
        // 30 s, then the link ends: bluez/bluez#153, embassy-rs/trouble#430.
        attributeClient.transactionLimit = .seconds(30)
        // “Automatically”, and not only with a bond: h2zero/esp-nimble-cpp#163, nordicsemi/IOS-nRF-Connect#30.
        gattClient.subscribesToServiceChanged = .always
        // Both are assumed. Linux, as an accessory, loses subscriptions of the 200 ms after it has the phone's keys:
        // `ID_ADDR_TIMEOUT` in net/bluetooth/smp.c.
        gattClient.pauseAfterBonding = .milliseconds(300)
        gattClient.pauseAfterKeys = .milliseconds(220)
    }
}
