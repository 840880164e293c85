/// What a phone asks for on a new link by itself, and when.
package struct LinkProcedures: Sendable, Hashable {
    /// When a procedure begins.
    package enum Moment: Sendable, Hashable, CaseIterable {
        case never
        /// As soon as the link is up.
        case connected
        /// On a link with a bond as soon as it is encrypted, otherwise as soon as it is up.
        case encrypted
    }

    /// Whether links to bonded devices are encrypted at once, unasked. wonderslug/esphome-ancs#15, currantlabs/gatt#4.
    package var encryptsAtOnce = true
    /// Whether a link ends whose device does not know the key of the bond any more. From iOS 13.4 the app then hears
    /// “peer removed pairing information” (Fixtures/Personalities/iPhone.md, 3); that the phone ends the link is assumed.
    package var endsWithoutBond = true
    /// When the version of the other controller is read. Capture of a bonded iPhone 7, abandonware/noble#97.
    package var versionMoment = Moment.encrypted
    /// When the features of the other controller are read. The same capture.
    package var featuresMoment = Moment.encrypted
    /// When longer packets are asked for: after the features. abandonware/noble#97, bluez/bluez#650.
    package var dataLengthMoment = Moment.encrypted
    /// The longest packets: 251 bytes, 2120 µs. bluez/bluez#650, petzval/btferret#73.
    package var dataLength = TransmitLength.longest
    /// When a PHY is asked for: before the MTU. zephyrproject-rtos/zephyr#89889, ARMmbed/mbed-os#12191.
    package var phyMoment = Moment.connected
    /// The PHYs in that request; zephyrproject-rtos/zephyr#89889 has 2M only, ARMmbed/mbed-os#12191 also Coded.
    package var phys: LEPHYSet = .twoMegabit
    /// When the ATT MTU is exchanged. noble/bleno#240.
    package var mtuMoment = Moment.connected
    /// The ATT MTU in bytes that is offered where both controllers have Data Length Extension.
    /// Jieli-Tech/fw-AC63_BT_SDK#99.
    package var mtu: UInt16 = 527
    /// The ATT MTU in bytes that is offered otherwise. noble/bleno#240, leka/LekaOS#639.
    package var mtuWithoutDataLength: UInt16 = 185
    /// The channel of the first frame, which no assigned number has. noble/bleno#240, embassy-rs/trouble#310.
    package var greetingChannel: UInt16 = 0x003A
    /// The payload of the first frame, before the MTU request; nil for no such frame. iOS 10, noble/bleno#240.
    package var greeting: [UInt8]? = [0x09, 0x05, 0x02, 0x00, 0x00, 0x00, 0x00]

    package init() {}

    /// The ATT MTU in bytes to offer.
    package func offeredMTU(hasDataLength: Bool) -> UInt16 { hasDataLength ? mtu : mtuWithoutDataLength }

    /// Whether a procedure begins now.
    ///
    /// - Parameters:
    ///   - moment: When it should begin.
    ///   - isBonded: Whether the device is bonded.
    ///   - isEncrypted: Whether the link has just been encrypted; if not, it has just come up.
    package func begins(_ moment: Moment, isBonded: Bool, isEncrypted: Bool) -> Bool {
        switch moment {
        case .never: false
        case .connected: !isEncrypted
        case .encrypted: isEncrypted == (isBonded && encryptsAtOnce)
        }
    }
}
