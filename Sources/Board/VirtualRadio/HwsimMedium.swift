import HILPOSIX
import HILWiFi
import RadioModel

/// The medium of all Wi-Fi radios of a board: the program that `mac80211_hwsim` gives the frames to.
///
/// The kernel knows only one such program, by one socket. The radios exist as long as that socket.
final class HwsimMedium {
    private let socket: HwsimSocket
    private var isRegistered = false
    /// The kernel's messages for each radio that were not taken yet.
    private var waiting: [DeviceAddress: [Hwsim.Message]] = [:]

    init() throws(NetlinkError) { socket = try HwsimSocket() }

    /// Makes a radio.
    ///
    /// - Returns: The kernel's number for it.
    func addRadio(at address: DeviceAddress, channels: UInt8) throws -> Int32 {
        let radio = try request(
            .newRadio,
            [
                (.permanentAddress, address.bytes), (.channels, littleEndian(UInt32(channels))), (.destroyOnClose, []),
            ])
        guard radio >= 0 else { throw SystemError(code: -radio, action: "making the Wi-Fi radio \(address)") }
        waiting[address] = []
        // The first radio exists before this, so that this program gets every frame of it; later ones belong to the
        // medium from the start.
        if !isRegistered {
            let verdict = try request(.register, [])
            guard verdict == 0 else { throw SystemError(code: -verdict, action: "registering as the medium of Wi-Fi") }
            isRegistered = true
        }
        return radio
    }

    func removeRadio(_ radio: Int32, at address: DeviceAddress) {
        _ = try? request(.deleteRadio, [(.radio, littleEndian(UInt32(radio)))])
        waiting[address] = nil
    }

    /// Readable when the kernel has messages for any radio. It has its own descriptor, so that each radio can be watched
    /// and forgotten separately.
    func readiness() throws(SystemError) -> Poller {
        let poller = try Poller()
        try poller.add(socket.descriptor, token: 0, edges: false)
        return poller
    }

    /// Whether messages for a radio were read already.
    func hasWaiting(for address: DeviceAddress) -> Bool { waiting[address]?.isEmpty == false }

    /// The kernel's messages for a radio. Those for others wait until these ask.
    func receive(for address: DeviceAddress) -> [Hwsim.Message] {
        sort()
        defer { waiting[address]?.removeAll() }
        return waiting[address] ?? []
    }

    func send(_ command: Hwsim.Command, _ attributes: [(Hwsim.Attribute, [UInt8])]) throws(NetlinkError) {
        try socket.send(command, attributes)
    }

    /// Sends a request. Messages that come with its result wait for their radios.
    private func request(
        _ command: Hwsim.Command, _ attributes: [(Hwsim.Attribute, [UInt8])]
    ) throws(NetlinkError) -> Int32 {
        defer { sort() }
        return try socket.request(command, attributes)
    }

    private func sort() {
        for message in socket.receive() {
            guard let bytes = message.bytes(.transmitter), let address = DeviceAddress(bytes: bytes) else { continue }
            waiting[address]?.append(message)
        }
    }
}
