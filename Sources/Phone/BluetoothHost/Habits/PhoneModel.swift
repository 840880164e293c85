/// An iPhone with a public source for what it does: a personality that ships.
package struct PhoneModel: Sendable, Hashable {
    /// Apple's name: `iPhone 7`.
    package var name: String
    /// Its identifier, which accessories read as Model Number: `iPhone9,1`.
    package var identifier: String
    /// What is known of this model itself, or assumed otherwise than of ``PhoneHabit/iPhone``. All else is as there, and
    /// assumed for the model.
    package var habits: [PhoneHabit]

    private init(_ name: String, _ identifier: String, _ habits: [PhoneHabit]) {
        (self.name, self.identifier) = (name, identifier)
        self.habits = habits.map { habit in
            var habit = habit
            habit.model = identifier
            return habit
        }
    }

    /// In the order of their years. Fixtures/Personalities/iPhone.md quotes the sources.
    package static let all = [
        PhoneModel(
            "iPhone 6s", "iPhone8,1",
            [
                PhoneHabit(
                    "link.mtu", "it offers 185 bytes to every accessory", .seen, "nkolban/esp32-snippets#325, iOS 14.4"),
                PhoneHabit(
                    "link.dataLengthMoment", "it asks for no long packets", .assumed,
                    "it rejects a length request as unknown: e2e.ti.com thread 579877"),
                PhoneHabit(
                    "link.phyMoment", "it asks for no PHY", .assumed,
                    "first reports of such a request are of an iPhone X"),
            ]),
        PhoneModel(
            "iPhone 7", "iPhone9,1",
            [
                PhoneHabit("link.dataLength", "it has long packets", .documented, "WWDC 2017, session 712"),
                PhoneHabit(
                    "access.connector.phases.atConnect", "10 to 30 ms, latency 0, timeout 720 ms", .seen,
                    "abandonware/noble#96, iOS 13.4"),
                PhoneHabit(
                    "access.connector.scanInterval", "it listens 30 of 30 ms to connect", .seen,
                    "abandonware/noble#96, iOS 13.4"),
                PhoneHabit(
                    "link.versionMoment", "it reads the version after encryption", .seen,
                    "abandonware/noble#97, iOS 13.4"),
                PhoneHabit("link.featuresMoment", "and then the features", .seen, "abandonware/noble#97, iOS 13.4"),
                PhoneHabit(
                    "link.dataLengthMoment", "and then asks for long packets", .seen, "abandonware/noble#97, iOS 13.4"),
                PhoneHabit(
                    "access.connector.endReason", "links end with reason 0x13", .seen, "abandonware/noble#97, iOS 13.4"),
                PhoneHabit(
                    "link.phyMoment", "it asks for no PHY", .assumed,
                    "an accessory that cannot answer such a request works with it, not with an iPhone X: "
                        + "nordicsemi/IOS-nRF-Toolbox#54"),
            ]),
        PhoneModel(
            "iPhone X", "iPhone10,6",
            [
                PhoneHabit(
                    "link.phyMoment", "it asks for a PHY", .seen,
                    "adafruit/Adafruit_nRF52_Bootloader#40, confirmed with an iPhone X")
            ]),
        PhoneModel(
            "iPhone XS", "iPhone11,2",
            [PhoneHabit("link.phyMoment", "it asks for a PHY", .seen, "adafruit/Adafruit_nRF52_Bootloader#40")]),
        PhoneModel(
            "iPhone 11", "iPhone12,1",
            [PhoneHabit("link.phys", "it asks for 2M or Coded", .seen, "ARMmbed/mbed-os#12191")]),
        PhoneModel(
            "iPhone 14", "iPhone14,7",
            [
                PhoneHabit(
                    "link.mtu", "it offers more than 246 bytes", .seen, "PhilipsHue/flutter_reactive_ble#816, iOS 17")
            ]),
    ]
}
