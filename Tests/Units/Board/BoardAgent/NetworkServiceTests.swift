import BoardProtocol
import Glibc
import HILPOSIX
import HILTiming
import RadioModel
import TestSupport
import Testing

@testable import BoardAgent

@Suite struct NetworkServiceTests {
    @Test func aLeaseIsParsedFromTheScriptsOutput() throws {
        let lease = try #require(Lease("ip=192.168.7.42\nmask=255.255.255.0\nrouter=192.168.7.1 192.168.7.2\n"))
        #expect(lease.address == "192.168.7.42")
        #expect(lease.mask == "255.255.255.0")
        #expect(lease.router == "192.168.7.1")
    }

    /// Text of a DHCP server reaches this file.
    @Test(arguments: [
        "", "ip=\nmask=\nrouter=\n", "ip=1.2.3\nmask=255.0.0.0\n", "ip=1.2.3.4;reboot\nmask=255.0.0.0\n",
        "mask=255.0.0.0\nrouter=1.2.3.4\n", "ip=1.2.3.4\nmask=x\n",
    ])
    func whatIsNoLeaseIsNone(_ text: String) { #expect(Lease(text) == nil) }

    @Test func anInvalidRouterIsIgnored() {
        #expect(Lease("ip=1.2.3.4\nmask=255.0.0.0\nrouter=$(x)\n")?.router == "")
    }

    /// This command has no network in it, so it cannot contain a passphrase.
    @Test func theDHCPServerServesOneInterfaceAndNoNames() {
        let command = OpenNetwork.dhcpCommand(interface: "wlan0-1", subnet: "192.168.8")
        #expect(command.contains("--interface=wlan0-1") && command.contains("--port=0"))
        #expect(command.contains("--dhcp-range=192.168.8.10,192.168.8.250,255.255.255.0,12h"))
    }

    @Test("An address that dnsmasq gave is read from its line")
    func givenAddress() throws {
        let station = try #require(DeviceAddress("02:00:00:00:01:00"))
        for end in ["", " lamp"] {
            let line = "Nov 22 15:12:47 dnsmasq-dhcp[74]: DHCPACK(wlan0-1) 192.168.1.42 02:00:00:00:01:00\(end)"
            #expect(OpenNetwork.homeEvent(dnsmasq: line) == .gaveAddress("192.168.1.42", station: station))
        }
    }

    /// The last word of a line is the station's own.
    @Test(
        "Other lines of dnsmasq tell of no address",
        arguments: [
            "", "dnsmasq-dhcp[74]: DHCPACK(wlan0-1)", "dnsmasq-dhcp[74]: DHCPACK(wlan0-1) 192.168.1 02:00:00:00:01:00",
            "dnsmasq-dhcp[74]: DHCPACK(wlan0-1) 192.168.1.42 02:00", "DHCPACK(x) 192.168.1.42 02:00:00:00:01:00",
            "dnsmasq-dhcp[74]: DHCPREQUEST(wlan0-1) 192.168.1.42 02:00:00:00:01:00 DHCPACK(x)",
        ])
    func otherLines(_ line: String) { #expect(OpenNetwork.homeEvent(dnsmasq: line) == nil) }

    @Test func theGateLetsOneThroughAtATimeInOrder() async throws {
        let gate = Gate()
        let log = EventLog<Int>()
        await gate.enter()
        var tasks: [Task<Void, Never>] = []
        for number in 1...3 {
            tasks.append(
                // It runs at once, until it waits.
                Task.immediate {
                    await gate.enter()
                    log.append(number)
                    gate.leave()
                })
        }
        #expect(log.events.isEmpty)
        gate.leave()
        for task in tasks { await task.value }
        #expect(log.events == [1, 2, 3])
    }
}
