import BoardProtocol
import Glibc
import HILPOSIX
import RigModel
import Synchronization

/// Writes the capture of the boards' radios in one scenario into a pcapng file, on this machine's clock.
///
/// The file grows by whole blocks, so it can be read at any time. Packets of one board are in order. Those of the other
/// may come later in the file than their times, by the delay of the connections.
final class BenchCapture: Sendable {
    private struct State {
        var file: Descriptor?
        /// The index of each interface in the file, by its name.
        var places: [String: Int] = [:]
    }

    let path: String
    private let state = Mutex(State())

    /// Begins a file, which replaces one of the same name.
    init(path: String) throws(SystemError) {
        self.path = path
        let file = try Descriptor.open(path, O_WRONLY | O_CREAT | O_TRUNC)
        let comment = "HCI as each board's kernel saw it, and 802.11 where a radio carries a monitor"
        try file.write(PcapNG.header([], application: "hil", comment: comment))
        state.withLock { $0.file = file }
    }

    /// The destination of a board's packets.
    func sink(of role: BoardRole, clock: @escaping @Sendable () -> ClockEstimate) -> @Sendable (CapturedBytes) -> Void {
        { [self] in add($0, of: role, clock()) }
    }

    private func add(_ packet: CapturedBytes, of role: BoardRole, _ clock: ClockEstimate) {
        let isWiFi = packet.kind == .radiotap
        let name = "\(role.rawValue)-\(isWiFi ? "wlan" : "hci")\(packet.adapter)"
        state.withLock { state in
            var bytes: [UInt8] = []
            let place = state.places[name] ?? state.places.count
            if state.places.updateValue(place, forKey: name) == nil {
                bytes += PcapNG.interface(
                    PcapNG.Interface(
                        name: name,
                        description:
                            "\(isWiFi ? "802.11 heard by" : "HCI of") the \(role.rawValue) board, clock \(clock.text)",
                        linkType: isWiFi ? PcapNG.radiotap : PcapNG.bluetoothH4WithDirection))
            }
            let direction: [UInt8] = isWiFi ? [] : [0, 0, 0, packet.kind == .sentToController ? 0 : 1]
            bytes += PcapNG.packet(interface: place, time: clock.here(packet.time), bytes: direction + packet.bytes)
            try? state.file?.write(bytes)
        }
    }

    /// Ends the file.
    func close() { state.withLock { $0.file = nil } }
}
