import Foundation
import Testing

@testable import HILCommand

struct TapLineTests {
    private func text(_ printed: String) -> String? {
        TapLine.text(of: printed, timeZone: TimeZone(secondsFromGMT: 0)!)
    }

    @Test("The line of a packet has time, sender, receiver, protocol and content")
    func lines() {
        #expect(
            text("1795219554.152265582\thost-hci0\t0x00\t        host\t→\tcontroller  \tHCI_CMD\tSent Reset")
                == "00:05:54.152  host → controller       HCI_CMD   Reset")
        #expect(
            text("1795219560.759545007\taccessory-hci0\t0x01\t 02:00:00:00:01:b0 ()\t→\t02:00\tATT\tRcvd Read Request")
                == "00:06:00.759  accessory ← controller  ATT       Read Request")
        #expect(
            text("1795219560.759545007\tair-wifi\t\t02:00:00:00:02:00\t→\tff:ff:ff:ff:ff:ff\t802.11\tBeacon frame")
                == "00:06:00.759  accessory → all         802.11    Beacon frame")
        #expect(
            text("1795219560.759545007\tair-wifi\t\t02:00:00:00:03:00\t→\t02:00:00:00:01:00\t802.11\tProbe Response")
                == "00:06:00.759  router → host           802.11    Probe Response")
    }

    @Test("Only packets have lines, and control characters in names from the air are removed")
    func strange() {
        #expect(text("") == nil)
        #expect(text("Capturing on\tx") == nil)
        #expect(text("1.5\tair-wifi\t\ta\t→\tb\t802.11\tSSID=\u{1B}[2J\u{7F}")?.hasSuffix("SSID=#x1B[2J#x7F") == true)
    }
}
