import Foundation
import RadioModel

/// One frame of a capture, as tshark takes it apart.
package struct CapturedFrame: Sendable, Hashable {
    package enum Content: Sendable, Hashable {
        /// A command of HCI, from its opcode on.
        case command([UInt8])
        /// An event of HCI, from its code on.
        case event([UInt8])
        /// A whole frame of L2CAP with its header, put together again. The handle is that of HCI; nil on the air.
        case data([UInt8], handle: UInt16?)
        /// A packet of the link layer, from its access address on.
        case linkLayer([UInt8])
        /// A frame of 802.11.
        case wifi(WiFiPacket)
    }

    /// From 1.
    package var number: Int
    /// Nanoseconds since 1970.
    package var time: UInt64
    /// The name of the interface; empty if the capture has none.
    package var interface = ""
    /// HCI: whether the host sent it. Air: whether the central sent it; nil if the capture does not say so.
    package var isSent: Bool?
    /// Air: whether it is encrypted, and was not decrypted.
    package var isEncrypted = false
    /// Air: whether it was encrypted, and the sniffer decrypted it.
    package var isDecrypted = false
    /// Air: whether its check sum is wrong, so that any bit of it may be.
    package var isDamaged = false
    /// Whether Apple's PacketLogger wrote the capture: its host is a phone, or a Mac.
    package var isFromPacketLogger = false
    package var contents: [Content] = []

    package init(number: Int, time: UInt64) { (self.number, self.time) = (number, time) }
}

// What `tshark -T ek -x` prints.
extension CapturedFrame {
    /// The layers whose fields tshark must print beside their bytes.
    package static let layers = "frame hci_mon"
    /// A display filter for the frames that matter.
    package static let filter =
        "bthci_cmd || bthci_evt || btl2cap || btle.advertising_header || btle.control_opcode || btle.length > 0 || "
        + "wlan.fc.type_subtype in {0, 1, 2, 3, 4, 5, 8, 10, 11, 12} || (wlan && (eapol || dhcp || dns || mdns || http || "
        + "tcp.flags.syn == 1 || tcp.flags.reset == 1))"

    /// Reads a line; nil for one that is no frame, such as the index lines.
    ///
    /// - Throws: If the line is no JSON, or a frame without its number and time.
    package init?(line: some Collection<UInt8>) throws(UnreadableCapture) {
        let document: Document
        do { document = try JSONDecoder().decode(Document.self, from: Data(line)) } catch {
            throw UnreadableCapture("tshark printed a line that is no JSON")
        }
        guard let layers = document.layers else { return nil }
        guard let frame = layers.frame, let number = frame.number.flatMap({ Int($0) }),
            let time = frame.epoch.flatMap(CapturedFrame.nanoseconds)
        else { throw UnreadableCapture("tshark printed a frame without its number or its time") }
        self.init(number: number, time: time)
        interface = frame.interface ?? ""
        isSent = frame.direction.map { $0 == "0" } ?? layers.isFromHost ?? layers.isFromCentral
        // The monitor of Linux has several controllers in one capture.
        if let adapter = layers.monitor?.adapter, let adapter = Int(adapter) { interface = "hci\(adapter)" }
        (isEncrypted, isDecrypted, isDamaged) = (layers.isUnreadable, layers.isDecrypted, layers.isDamaged)
        isFromPacketLogger = layers.logger != nil
        let handle = layers.acl?.bytes.first.flatMap {
            $0.count < 2 ? nil : (UInt16($0[0]) | UInt16($0[1]) << 8) & 0xFFF
        }
        contents += layers.command?.bytes.map(Content.command) ?? []
        contents += layers.event?.bytes.map(Content.event) ?? []
        contents += layers.linkLayer?.bytes.map(Content.linkLayer) ?? []
        contents += layers.l2cap?.bytes.map { .data($0, handle: handle) } ?? []
        contents += layers.wifi.map { [.wifi($0)] } ?? []
    }

    /// `1795886966.570567566`.
    private static func nanoseconds(_ text: String) -> UInt64? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard let seconds = parts.first.flatMap({ UInt64($0) }), seconds < 10_000_000_000 else { return nil }
        let rest = parts.count > 1 ? parts[1].prefix(9) : ""
        guard rest.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
        let digits = rest + String(repeating: "0", count: 9 - rest.count)
        return UInt64(digits).map { seconds * 1_000_000_000 + $0 }
    }

    private struct Document: Decodable {
        let layers: Layers?
    }

    private struct Layers: Decodable {
        struct Frame: Decodable {
            let number, epoch, interface, direction: String?

            enum CodingKeys: String, CodingKey {
                case number = "frame_frame_number"
                case epoch = "frame_frame_time_epoch"
                case interface = "frame_frame_interface_name"
                case direction = "frame_frame_p2p_dir"
            }
        }

        struct Monitor: Decodable {
            let opcode, adapter: String?

            enum CodingKeys: String, CodingKey {
                case opcode = "hci_mon_hci_mon_opcode"
                case adapter = "hci_mon_hci_mon_adapter_id"
            }
        }

        let frame: Frame?
        let monitor: Monitor?
        let command, event, acl, l2cap, linkLayer, nordic, radio, logger: HexTexts?
        let wifiHeader, management, laterManagement, eapol, dhcp, dns, mdns, http, tcp: HexTexts?

        enum CodingKeys: String, CodingKey {
            case frame
            case monitor = "hci_mon"
            case logger = "packetlogger_raw"
            case command = "bthci_cmd_raw"
            case event = "bthci_evt_raw"
            case acl = "bthci_acl_raw"
            case l2cap = "btl2cap_raw"
            case linkLayer = "btle_raw"
            case nordic = "nordic_ble_raw"
            case radio = "btle_rf_raw"
            case wifiHeader = "wlan_raw"
            case management = "wlan_wlan_mgt_raw"
            // As tshark 4.4 has it.
            case laterManagement = "wlan_mgt_raw"
            case eapol = "eapol_raw"
            case dhcp = "dhcp_raw"
            case dns = "dns_raw"
            case mdns = "mdns_raw"
            case http = "http_raw"
            case tcp = "tcp_raw"
        }

        /// The frame of 802.11; nil for Bluetooth, and for one that says nothing here.
        var wifi: WiFiPacket? {
            guard let header = wifiHeader?.bytes.first else { return nil }
            let bodies: [WiFiPacket.Body?] = [
                (management ?? laterManagement)?.bytes.first.map { .management($0) },
                eapol?.bytes.first.map { .eapol($0) }, dhcp?.bytes.first.map { .dhcp($0) },
                dns?.bytes.first.map { .dns($0, isMulticast: false) },
                mdns?.bytes.first.map { .dns($0, isMulticast: true) }, http?.bytes.first.map { .http($0) },
                tcp?.bytes.first.map { .tcp($0) },
            ]
            return bodies.compactMap { $0 }.first.map { WiFiPacket(header: header, body: $0) }
        }

        /// Whether the host sent it; nil if neither PacketLogger nor the monitor of Linux captured it.
        var isFromHost: Bool? {
            if let kind = logger?.bytes.first?.first { return kind == 0 || kind == 2 }
            switch monitor?.opcode.flatMap({ UInt16($0.dropFirst(2), radix: 16) ?? UInt16($0) }) {
            case 2, 4, 6: return true
            case 3, 5, 7: return false
            default: return nil
            }
        }

        /// The flags of a Nordic sniffer; nil for other captures.
        private var nordicFlags: UInt8? {
            // Board, then protocol version 2 and later: length of the header, of the payload, version, counter, type;
            // then the length of the BLE header and its flags.
            guard let bytes = nordic?.bytes.first, bytes.count > 8 else { return nil }
            return bytes[8]
        }

        /// The flags of a capture with radio headers (LINKTYPE_BLUETOOTH_LE_LL_WITH_PHDR); nil for others.
        private var radioFlags: UInt16? {
            guard let bytes = radio?.bytes.first, bytes.count >= 10 else { return nil }
            return UInt16(bytes[8]) | UInt16(bytes[9]) << 8
        }

        var isFromCentral: Bool? {
            if let nordicFlags { return nordicFlags & 0x02 != 0 }
            switch radioFlags.map({ $0 >> 7 & 0x7 }) {
            case 2: return true
            case 3: return false
            default: return nil
            }
        }

        /// Encrypted, and not decrypted by the sniffer.
        var isUnreadable: Bool {
            if let nordicFlags { return nordicFlags & 0x04 != 0 && nordicFlags & 0x08 == 0 }
            return false
        }

        /// Nordic's flag says that the check sum is right; radio headers say whether it was checked, and then the same.
        var isDamaged: Bool {
            if let nordicFlags { return nordicFlags & 0x01 == 0 }
            return radioFlags.map { $0 & 0x0C00 == 0x0400 } ?? false
        }

        var isDecrypted: Bool {
            if let nordicFlags { return nordicFlags & 0x0C == 0x0C }
            return radioFlags.map { $0 & 0x08 != 0 } ?? false
        }
    }

    /// One text of hexadecimal digits, or several.
    private struct HexTexts: Decodable {
        let bytes: [[UInt8]]

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            let texts = try (try? value.decode(String.self)).map { [$0] } ?? value.decode([String].self)
            bytes = texts.compactMap { Hex.bytes($0.utf8) }
        }
    }
}

/// A capture that cannot be read: what, and why.
package struct UnreadableCapture: Error, Sendable, Equatable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
