import BoardProtocol
import Testing

@testable import BoardKeeper

@Suite("The keeper of a board")
struct BoardKeeperTests {
    private func facts(
        adapters: [(address: String, isChosen: Bool)] = [("AA:BB:CC:00:00:01", true)],
        radios: [(name: String, isChosen: Bool, carriesLogin: Bool)] = [("wlan0", true, false)]
    ) -> BoardFacts {
        var facts = BoardFacts(version: KeeperProtocol.version)
        facts.adapters = adapters.enumerated().map {
            .init(name: "hci\($0)", address: $1.address, bus: "btusb", isBlocked: false, isChosen: $1.isChosen)
        }
        facts.radios = radios.map {
            .init(
                name: $0.name, address: "", driver: "brcmfmac", isBlocked: false, isChosen: $0.isChosen,
                hasAccessPoint: true, hasMonitor: false, bands: [2.4], carriesLogin: $0.carriesLogin, sharesChip: true)
        }
        return facts
    }

    private func obstacle(_ facts: BoardFacts) -> KeeperFailure? {
        do throws(KeeperFailure) {
            _ = try BoardRadios(of: facts)
            return nil
        } catch { return error }
    }

    @Test("One adapter and one radio are taken without a choice")
    func only() throws {
        let radios = try BoardRadios(of: facts())
        #expect(radios.adapter == 0)
        #expect(radios.address == "AA:BB:CC:00:00:01")
        #expect(radios.interface == "wlan0")
    }

    @Test("Of several adapters the chosen one is taken, by its address and not by its place")
    func chosen() throws {
        let radios = try BoardRadios(
            of: facts(adapters: [("AA:BB:CC:00:00:01", false), ("AA:BB:CC:00:00:02", true)]))
        #expect(radios.adapter == 1)
        #expect(radios.address == "AA:BB:CC:00:00:02")
    }

    @Test("What keeps a run from the radios is told with what to do")
    func obstacles() {
        #expect(obstacle(facts(adapters: []))?.reason == "it has no Bluetooth adapter")
        #expect(obstacle(facts(radios: []))?.reason == "it has no Wi-Fi radio")
        let two = obstacle(facts(adapters: [("AA:BB:CC:00:00:01", true), ("AA:BB:CC:00:00:02", true)]))
        #expect(
            two?.reason == "it has several Bluetooth adapters: AA:BB:CC:00:00:01 (btusb), AA:BB:CC:00:00:02 (btusb)")
        #expect(two?.remedy == "name it with `hil bench prepare` --adapter")
        #expect(
            obstacle(facts(adapters: [("AA:BB:CC:00:00:01", false)]))?.reason
                == "the chosen Bluetooth adapter is missing; the board has AA:BB:CC:00:00:01")
        #expect(obstacle(facts(radios: [("wlan1", false, false)]))?.reason.contains("the board has wlan1") == true)
    }

    @Test("A radio that carries the login is not taken: the board would lose its network")
    func login() {
        #expect(
            obstacle(facts(radios: [("wlan0", true, true)]))?.reason
                == "wlan0 is its only connection to this machine, and a run would take it")
        // Another one carries it.
        #expect(obstacle(facts(radios: [("wlan0", false, true), ("wlan1", true, false)])) == nil)
    }

    @Test("A radio's abilities are read from what iw prints")
    func abilities() {
        let text = """
            Wiphy phy0
            \tmax # scan SSIDs: 4
            \tSupported interface modes:
            \t\t * managed
            \t\t * AP
            \t\t * monitor
            \tBand 1:
            \t\tFrequencies:
            \t\t\t* 2412.0 MHz [1] (20.0 dBm)
            \t\t\t* 2484 MHz [14] (disabled)
            \tBand 2:
            \t\tFrequencies:
            \t\t\t* 5180.0 MHz [36] (20.0 dBm)
            \t\t\t* 5955.0 MHz [1] (disabled)
            \tsoftware interface modes (can always be added):
            \t\t * AP/VLAN
            """
        let able = RadioAbilities(iwText: text)
        #expect(able.hasAccessPoint)
        #expect(able.hasMonitor)
        #expect(able.bands == [2.4, 5])
        #expect(RadioAbilities(iwText: "") == RadioAbilities(iwText: "command failed: No such device (-19)"))
        // What is only a software mode is none that the radio has.
        #expect(!RadioAbilities(iwText: "\tsoftware interface modes:\n\t\t * AP\n").hasAccessPoint)
    }

    @Test("A record of the kernel's log becomes a line as dmesg prints it")
    func kernelLog() {
        func line(_ record: String) -> String? {
            KernelLog.line(of: Array(record.utf8)).map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(
            line("6,1234,98765432,-;usb 1-1: new device\n SUBSYSTEM=usb\n") == "[   98.765432] usb 1-1: new device\n")
        #expect(line("4,1,5,-;WARNING: CPU: 0\n") == "[    0.000005] WARNING: CPU: 0\n")
        for bad in ["", ";", "6,1;x", "6,1,later,-;x", "no record"] { #expect(line(bad) == nil) }
    }

    @Test("A message of the monitor channel becomes an H4 packet; others are left out")
    func monitor() {
        // Opcode 3 (event packet), adapter 1, three bytes.
        let message: [UInt8] = [3, 0, 1, 0, 3, 0, 0x0E, 1, 0]
        let packet = RadioMonitor.packet(of: message, adapter: 1, time: 7)
        #expect(packet == CapturedBytes(kind: .receivedFromController, adapter: 1, time: 7, bytes: [4, 0x0E, 1, 0]))
        #expect(RadioMonitor.packet(of: message, adapter: 0, time: 7) == nil)
        // New index, and messages that are cut off.
        #expect(RadioMonitor.packet(of: [0, 0, 1, 0, 1, 0, 9], adapter: 1, time: 7) == nil)
        for length in 0..<message.count {
            #expect(RadioMonitor.packet(of: Array(message.prefix(length)), adapter: 1, time: 7) == nil)
        }
    }

    @Test("A captured packet survives its way in a frame, and bytes that are none are refused")
    func captured() {
        let packet = CapturedBytes(kind: .sentToController, adapter: 2, time: 0x0102_0304_0506_0708, bytes: [1, 2, 3])
        #expect(CapturedBytes(payload: packet.payload) == packet)
        #expect(CapturedBytes(payload: []) == nil)
        #expect(CapturedBytes(payload: Array(packet.payload.prefix(10))) == nil)
        #expect(CapturedBytes(payload: [9] + packet.payload.dropFirst()) == nil)
    }
}
