import RadioModel
import Testing

@testable import HILBluetoothHost

@Suite("The values of an iPhone")
struct HostPersonalityTests {
    private let phone = HostPersonality.iPhone

    @Test("An iPhone is private, and its first parameters are 10 to 30 ms and 720 ms")
    func access() {
        #expect(phone.access.addresses.isPrivate)
        #expect(phone.access.addresses.rotation == .seconds(900))
        let first = phone.access.connector.phases.parameters(beside: 0)
        #expect(first == ConnectionParameters(milliseconds: 10...30, timeout: .milliseconds(720)))
        #expect(phone.access.connector.phases.parameters(beside: 100) == first)
        #expect(phone.access.connector.endReason == .remoteUserEnded)
    }

    @Test("It scans 30 of 40 ms in the foreground, and less in the background")
    func scans() {
        #expect(Double(phone.foregroundScan.interval) * 0.625 == 40)
        #expect(Double(phone.foregroundScan.window) * 0.625 == 30)
        #expect(phone.foregroundScan.isActive && !phone.backgroundScan.isActive)
        #expect(phone.backgroundScan.interval > phone.foregroundScan.interval)
    }

    @Test("It offers an MTU of 527 with Data Length Extension, otherwise 185")
    func mtu() {
        #expect(phone.link.offeredMTU(hasDataLength: true) == 527)
        #expect(phone.link.offeredMTU(hasDataLength: false) == 185)
        #expect(phone.attributeClient.offeredMTU == 527 && phone.attributeServer.offeredMTU == 527)
    }

    @Test("Its controller takes no parameter requests by the link layer, and sends long packets")
    func start() {
        #expect(!phone.start.lowEnergyEvents.contains(.remoteConnectionParameterRequest))
        #expect(phone.start.defaultDataLength == .longest)
    }

    @Test("It pairs with keyboard and display, Secure Connections and protection, without a signing key")
    func pairing() {
        #expect(phone.pairing.capability == .keyboardDisplay)
        #expect(phone.pairing.authentication.rawValue == 0x0D)
        #expect(!phone.pairing.initiatorKeys.contains(.signing) && !phone.pairing.responderKeys.contains(.signing))
        #expect(phone.security.unpaired == .pair && phone.security.bonded == .encrypt)
    }

    @Test("Procedures begin once: on a bonded link after its encryption, otherwise at once")
    func moments() {
        let link = phone.link
        #expect(link.begins(.connected, isBonded: true, isEncrypted: false))
        #expect(!link.begins(.connected, isBonded: true, isEncrypted: true))
        #expect(!link.begins(.encrypted, isBonded: true, isEncrypted: false))
        #expect(link.begins(.encrypted, isBonded: true, isEncrypted: true))
        #expect(link.begins(.encrypted, isBonded: false, isEncrypted: false))
        #expect(!link.begins(.encrypted, isBonded: false, isEncrypted: true))
        #expect(!link.begins(.never, isBonded: true, isEncrypted: true))
        // A phone that does not encrypt by itself does not wait for it.
        var lazy = link
        lazy.encryptsAtOnce = false
        #expect(lazy.begins(.encrypted, isBonded: true, isEncrypted: false))
    }

    @Test("Its commands are those of the captured connection request")
    func request() {
        var run = AccessRun(configuration: phone.access)
        _ = run.takeCommands()
        run.act { $0.connect(to: .numbered(0x50), at: $1) }
        #expect(
            run.takeCommands().map(\.parameters)
                == [hci("30003000 00 01 5000000000C0 01 0800 1800 0000 4800 0200 0C00")])
    }
}
