import BoardProtocol
import Glibc
import HILPOSIX
import RigModel
import VirtualRadio

/// A packet for the capture.
enum CapturedPacket: Equatable {
    /// An H4 packet of one Bluetooth adapter of a board, sent or received by its host.
    case hci(AirAdapter, sentByHost: Bool, [UInt8])
    /// An 802.11 frame of one radio, with the strongest signal at another in dBm; nil if no other hears it.
    case wifi(AirPlace, WiFiTransmission, signal: Int8?)
    /// An 802.11 frame of a station without a board.
    case station(WiFiTransmission, signal: Int8)
}

/// Writes every packet of the rig into one pcapng file: HCI of both boards and 802.11, on one clock. An adapter that a
/// scenario added gets its own interface with its first packet.
///
/// The file appears under its final name with a valid header, and grows by whole blocks. So it can be read at any time,
/// even if the air has crashed.
final class CaptureFile {
    private static let wifi = 2
    private static let interfaces = [
        PcapNG.Interface(
            name: "host-hci0", description: "HCI of the host board", linkType: PcapNG.bluetoothH4WithDirection),
        PcapNG.Interface(
            name: "accessory-hci0", description: "HCI of the accessory board",
            linkType: PcapNG.bluetoothH4WithDirection),
        PcapNG.Interface(name: "air-wifi", description: "802.11 between the boards", linkType: PcapNG.radiotap),
    ]

    /// The path of the file.
    let path: String
    /// The number of packets so far.
    private(set) var count = 0
    private let file: Descriptor
    private var pending: [UInt8] = []
    /// The index of each adapter's interface in the file.
    private var places: [AirAdapter: Int] = [.host: 0, .accessory: 1]

    /// Begins a file that only this user can read: it contains the link keys of all pairings. It replaces a file of the
    /// same name.
    init(path: String) throws(SystemError) {
        self.path = path
        let unfinished = path + ".unfinished"
        file = try Descriptor.open(unfinished, O_WRONLY | O_CREAT | O_TRUNC)
        do throws(SystemError) {
            try file.write(PcapNG.header(CaptureFile.interfaces, application: "hil-air"))
            try valueOrErrno("rename", "naming the capture \(path)") { rename(unfinished, path) }
        } catch {
            unlink(unfinished)
            throw error
        }
    }

    /// Adds a packet, to be written with the next ``flush()``.
    ///
    /// - Parameter time: Nanoseconds since 1970-01-01 00:00 UTC.
    func add(_ packet: CapturedPacket, time: UInt64) {
        count += 1
        switch packet {
        case .hci(let board, let sentByHost, let bytes):
            let place = place(of: board)
            pending += PcapNG.packet(
                interface: place, time: time, bytes: [0, 0, 0, sentByHost ? 0 : 1] + bytes)
        case .wifi(let place, let transmission, let signal):
            pending += PcapNG.packet(
                interface: CaptureFile.wifi, time: time,
                bytes: Radiotap.header(of: transmission, signal: signal) + transmission.frame,
                comment: signal == nil ? "from \(place); not heard" : "")
        case .station(let transmission, let signal):
            pending += PcapNG.packet(
                interface: CaptureFile.wifi, time: time,
                bytes: Radiotap.header(of: transmission, signal: signal) + transmission.frame)
        }
    }

    /// The index of an adapter's interface, which is added if it does not exist yet.
    private func place(of adapter: AirAdapter) -> Int {
        if let place = places[adapter] { return place }
        let name = "\(adapter.board.rawValue)-hci\(adapter.number)"
        let whose =
            adapter.isHostStack ? "\(adapter)" : "the \(adapter.board.rawValue) board, adapter \(adapter.number)"
        pending += PcapNG.interface(
            PcapNG.Interface(
                name: name, description: "HCI of \(whose)", linkType: PcapNG.bluetoothH4WithDirection))
        // The header's three interfaces come first, then one for each further adapter. Two of the three are in
        // `places`.
        let place = places.count + 1
        places[adapter] = place
        return place
    }

    /// Writes the packets that were added.
    func flush() throws(SystemError) {
        guard !pending.isEmpty else { return }
        defer { pending.removeAll(keepingCapacity: true) }
        try file.write(pending)
    }
}
