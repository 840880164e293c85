// The behaviours of `HostPersonality.iPhone`, each with its source. Fixtures/Personalities/iPhone.md quotes the sources. What is
// not here is the specification's, or a limit that protects the host.
extension PhoneHabit {
    package static let iPhone: [PhoneHabit] = [
        PhoneHabit("start.defaultDataLength", "the controller's default packets: 251 bytes", .seen, "bluez/bluez#650"),
        PhoneHabit("start.defaultPHYs", "links begin on 1M", .seen, "zephyrproject-rtos/zephyr#89889"),
        PhoneHabit(
            "start.lowEnergyEvents", "no parameter requests by the link layer", .seen,
            "abandonware/noble#97, an iPhone 7"),
        PhoneHabit(
            "access.addresses.isPrivate", "a resolvable private address", .documented,
            "Accessory Design Guidelines, 40.8"),
        PhoneHabit(
            "access.addresses.rotation", "a new address every 15 minutes", .assumed,
            "seen are 10 to 19: furiousMAC/continuity#10"),
        PhoneHabit(
            "foregroundScan.interval", "it scans 30 of 40 ms for an app", .seen,
            "newbe.dev/ble-scan-interval-and-window"),
        PhoneHabit("foregroundScan.isActive", "it asks for scan responses", .assumed),
        PhoneHabit("foregroundScan.dropsDuplicates", "the phone itself sorts out repetitions", .assumed),
        PhoneHabit("backgroundScan.interval", "it scans 30 of 320 ms in the background", .assumed),
        PhoneHabit(
            "backgroundScan.isActive", "no scan responses in the background", .seen, "pauldemarco/flutter_blue#895"),
        PhoneHabit(
            "backgroundScan.dropsDuplicates", "no repetitions in the background", .documented,
            "don/cordova-plugin-ble-central#984 quotes Apple"),
        PhoneHabit("access.connector.scanInterval", "it listens 30 of 30 ms to connect", .seen, "abandonware/noble#96"),
        PhoneHabit(
            "access.connector.establishmentTries", "20 tries of a link that is not answered", .assumed,
            "“tens of times”: espressif/esp-idf#12911"),
        PhoneHabit("access.connector.limit", "10 s for one attempt", .assumed),
        PhoneHabit("access.connector.endReason", "links end with reason 0x13", .seen, "abandonware/noble#97"),
        PhoneHabit(
            "access.connector.phases.atConnect", "10 to 30 ms, latency 0, timeout 720 ms", .seen, "abandonware/noble#96"
        ),
        PhoneHabit(
            "access.connector.phases.eventLength", "connection events of 1.25 to 7.5 ms", .seen, "abandonware/noble#96"),
        PhoneHabit(
            "access.connector.phases.settled", "it changes no parameters by itself", .seen, "coredevices/PebbleOS#1747"),
        PhoneHabit("access.connector.phases.settleTime", "a link is settled after 5 s", .assumed),
        PhoneHabit("access.connector.phases.manyLinks", "five links are many", .assumed),
        PhoneHabit("access.connector.phases.withManyLinks", "the same parameters beside many links", .assumed),
        PhoneHabit(
            "access.advertiser.layout", "28 and 10 bytes for an app's advertisement", .documented,
            "startAdvertising(_:)"),
        PhoneHabit("access.advertiser.interval", "an app advertises every 152.5 ms", .assumed),
        PhoneHabit(
            "access.advertiser.backgroundInterval", "and every 1022.5 ms in the background", .assumed,
            "slower: Apple forum 814450"),
        PhoneHabit("pairing.capability", "it shows numbers and has keys", .seen, "noble/noble#243"),
        PhoneHabit("pairing.bonds", "it keeps keys", .seen, "noble/noble#243"),
        PhoneHabit(
            "pairing.asksForAuthentication", "it asks for protection against a man in the middle", .seen,
            "noble/noble#243"),
        PhoneHabit("pairing.supportsSecureConnections", "it has LE Secure Connections", .seen, "noble/noble#243"),
        PhoneHabit(
            "pairing.initiatorKeys", "it gives encryption, identity and link keys", .assumed,
            "the link key is; the others: noble/noble#243"),
        PhoneHabit(
            "pairing.responderKeys", "and wants the same", .assumed, "the link key is; the others: noble/noble#243"),
        PhoneHabit("pairing.maximumKeySize", "keys of 16 bytes", .seen, "noble/noble#243"),
        PhoneHabit("pairing.minimumKeySize", "keys of 7 bytes and more", .assumed),
        PhoneHabit("pairing.supportsCT2", "without the function h7", .assumed, "of 2015: noble/noble#243"),
        PhoneHabit("pairing.supportsKeypress", "without news of keys pressed", .assumed, "of 2015: noble/noble#243"),
        PhoneHabit(
            "pairing.consent", "it asks the person even for Just Works", .seen,
            "bluez/bluez#650, tcoppex/mbed-ble-hid#8"),
        PhoneHabit(
            "security.unpaired", "it pairs after a Security Request", .seen, "NordicSemiconductor/ble-sdk-arduino#15"),
        PhoneHabit(
            "security.bonded", "it encrypts after one of a paired accessory", .seen, "coredevices/mobileapp#289"),
        PhoneHabit("security.weaklyBonded", "the same if the accessory wants more", .assumed),
        PhoneHabit("security.encrypting", "it ignores one while it encrypts", .assumed, "wonderslug/esphome-ancs#15"),
        PhoneHabit("security.limitsOwnAttempts", "the person may try again at once", .assumed),
        PhoneHabit(
            "link.encryptsAtOnce", "it encrypts links to paired accessories, unasked", .seen,
            "wonderslug/esphome-ancs#15, currantlabs/gatt#4"),
        PhoneHabit("link.endsWithoutBond", "it leaves an accessory that lost the key", .assumed),
        PhoneHabit("link.versionMoment", "it reads the version after encryption", .seen, "abandonware/noble#97"),
        PhoneHabit("link.featuresMoment", "and then the features", .seen, "abandonware/noble#97"),
        PhoneHabit(
            "link.dataLengthMoment", "and then asks for long packets", .seen, "abandonware/noble#97, bluez/bluez#650"),
        PhoneHabit("link.dataLength", "of 251 bytes and 2120 µs", .seen, "bluez/bluez#650, petzval/btferret#73"),
        PhoneHabit("link.phyMoment", "it asks for a PHY at once", .seen, "zephyrproject-rtos/zephyr#89889"),
        PhoneHabit("link.phys", "2M", .seen, "zephyrproject-rtos/zephyr#89889"),
        PhoneHabit("link.mtuMoment", "it exchanges the MTU at once", .seen, "noble/bleno#240"),
        PhoneHabit("link.mtu", "it offers 527 bytes with long packets", .seen, "Jieli-Tech/fw-AC63_BT_SDK#99"),
        PhoneHabit("link.mtuWithoutDataLength", "and 185 without", .seen, "noble/bleno#240, leka/LekaOS#639"),
        PhoneHabit(
            "link.greetingChannel", "its first frame is on channel 0x003A", .seen,
            "noble/bleno#240, embassy-rs/trouble#310"),
        PhoneHabit("link.greeting", "09 05 02 00 00 00 00", .seen, "noble/bleno#240, iOS 10"),
        PhoneHabit(
            "attributeClient.transactionLimit", "it waits 30 s for an answer, then leaves", .seen,
            "bluez/bluez#153, embassy-rs/trouble#430"),
        PhoneHabit(
            "gattClient.subscribesToServiceChanged", "it subscribes to Service Changed by itself", .seen,
            "h2zero/esp-nimble-cpp#163"),
        PhoneHabit("gattClient.pauseAfterBonding", "no subscription for 300 ms after a pairing", .assumed),
        PhoneHabit("gattClient.pauseAfterKeys", "or 220 ms after the first answer", .assumed),
        PhoneHabit(
            "gattClient.withholdsServiceChanged", "it does not confirm a change before encryption", .seen,
            "weliem/bluez_inc#117"),
        PhoneHabit("gattClient.mostRetries", "it repeats a refused request twice", .assumed),
        PhoneHabit("gattClient.waitsForProtection", "other requests wait for the pairing", .assumed),
        PhoneHabit(
            "gattClient.keepsTables", "it keeps services that cannot report a change", .seen,
            "nordicsemi/IOS-nRF-Connect#30"),
        PhoneHabit("gattClient.habits.serviceSearch", "it reads all services by group", .seen, "bluez/bluez#638"),
        PhoneHabit(
            "gattClient.habits.endsWithWantedCharacteristics", "it reads all characteristics of a service", .seen,
            "bluez/bluez#638"),
        PhoneHabit("gattClient.habits.continuesAfterValue", "and goes on after each value", .seen, "bluez/bluez#638"),
        PhoneHabit("gattClient.habits.requiresProperties", "a characteristic without properties is a breach", .assumed),
        PhoneHabit("gattClient.habits.mostAttributes", "a discovery takes 4096 attributes", .assumed),
        PhoneHabit("gattClient.habits.readsRestOfTypedValue", "it reads the rest of a long name", .assumed),
        PhoneHabit("gattClient.habits.prefersIndications", "it prefers notifications", .assumed),
        PhoneHabit("channels.mtu", "an L2CAP channel has an MTU of 2048", .assumed),
        PhoneHabit("channels.mps", "and frames of 247 bytes", .assumed),
        PhoneHabit("channels.initialCredits", "and 10 credits", .assumed),
        PhoneHabit("channels.creditBatch", "given back five at a time", .assumed),
        PhoneHabit(
            "classic.leastKeySize", "classic keys of 7 bytes and more", .seen, "idownloadblog.com 2019/08/16, iOS 12.4"),
        PhoneHabit(
            "classic.serviceSearch", "classic service discovery of all of L2CAP", .seen, "bluekitchen/btstack#497"),
        PhoneHabit("classic.greeting", "nothing else on classic channels", .assumed),
    ]
}
