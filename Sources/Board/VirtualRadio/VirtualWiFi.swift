import Glibc
import HILNetlink
import HILPOSIX
import HILWiFi
import RadioModel

/// A Wi-Fi radio for the board's kernel: one radio of `mac80211_hwsim`, with this program as its medium.
///
/// The radio is made first and the medium registered after that, so that this program gets every frame of the radio.
/// The kernel removes the radio when the socket that made it is closed.
final class VirtualWiFi: VirtualDevice {
    private let socket: HwsimSocket
    private let address: DeviceAddress
    private let radio: Int32
    private let inUse: ChannelsInUse
    private var waiting: [RadioMessage]

    /// - Parameters:
    ///   - address: The permanent address of the radio. No other radio of the medium may have it.
    ///   - channels: How many channels the radio can use at once.
    ///   - inUse: Where to write the channels in use.
    init(address: DeviceAddress, channels: UInt8, inUse: ChannelsInUse) throws {
        self.inUse = inUse
        socket = try HwsimSocket()
        self.address = address
        radio = try socket.request(
            .newRadio,
            [
                (.permanentAddress, address.bytes), (.channels, littleEndian(UInt32(channels))), (.destroyOnClose, []),
            ])
        guard radio >= 0 else { throw SystemError(code: -radio, action: "making the Wi-Fi radio \(address)") }
        let verdict = try socket.request(.register, [])
        guard verdict == 0 else { throw SystemError(code: -verdict, action: "registering as the medium of Wi-Fi") }
        // Found by its address: the board may just be renaming the interface.
        let interface = try WirelessInterface.find(address)
        try interface?.useOrdinaryWay()
        waiting = [.attached(name: interface?.name ?? "phy of radio \(radio)")]
    }

    var descriptor: Int32 { socket.descriptor }

    func drain() -> [RadioMessage] {
        let messages = waiting + socket.receive().compactMap(VirtualWiFi.message)
        waiting = []
        return messages
    }

    func take(_ message: RadioMessage) -> String? {
        do {
            switch message {
            case .status(let status): try report(status)
            case .receive(let reception): try deliver(reception)
            case .channels(let frequencies): try inUse.write(frequencies)
            default: return "refused: not a Wi-Fi message"
            }
            return nil
        } catch { return "\(error)" }
    }

    func unplug() {
        inUse.remove()
        _ = try? socket.request(.deleteRadio, [(.radio, littleEndian(UInt32(radio)))])
    }

    private func report(_ status: WiFiStatus) throws(NetlinkError) {
        try socket.send(
            .transmissionInfo,
            [
                (.transmitter, address.bytes), (.flags, littleEndian(status.flags)),
                (.cookie, littleEndian(status.cookie)), (.signal, littleEndian(Int32(status.signal))),
                (.transmissionInfo, status.rates.flatMap { [UInt8(bitPattern: $0.index), $0.tries] }),
            ])
    }

    /// The kernel answers `EINVAL` for a frame on a channel that the radio does not listen on. This is no fault.
    private func deliver(_ reception: WiFiReception) throws(NetlinkError) {
        try socket.send(
            .frame,
            [
                (.receiver, address.bytes), (.frame, reception.frame),
                (.receiveRate, littleEndian(UInt32(reception.rate))),
                (.signal, littleEndian(Int32(reception.signal))),
                (.frequency, littleEndian(UInt32(reception.frequency))),
            ])
    }

    /// The message to the air for a message of the kernel; nil if only the board needs it.
    static func message(for message: Hwsim.Message) -> RadioMessage? {
        switch Hwsim.Command(rawValue: message.command) {
        case .frame: return transmission(in: message).map(RadioMessage.transmit)
        case .addAddress, .deleteAddress:
            guard let bytes = message.bytes(.receiver), let address = DeviceAddress(bytes: bytes) else { return nil }
            return .hears(address, message.command == Hwsim.Command.addAddress.rawValue)
        default: return nil
        }
    }

    private static func transmission(in message: Hwsim.Message) -> WiFiTransmission? {
        guard let frame = message.bytes(.frame), (10...RadioMessage.wifiFrameLimit).contains(frame.count),
            let cookie: UInt64 = message.number(.cookie), let frequency: UInt32 = message.number(.frequency)
        else { return nil }
        let info = message.bytes(.transmissionInfo) ?? []
        let flags = message.bytes(.transmissionInfoFlags) ?? []
        let rates = (0..<WiFiRate.seriesCount).map { index -> WiFiRate in
            guard info.count >= 2 * index + 2 else { return .none }
            var rate = WiFiRate(index: Int8(bitPattern: info[2 * index]), tries: info[2 * index + 1])
            // `struct hwsim_tx_rate_flag` is packed: one byte of index, two of flags.
            if flags.count >= 3 * index + 3 {
                rate.flags = UInt16(flags[3 * index + 1]) | UInt16(flags[3 * index + 2]) << 8
            }
            return rate
        }
        return WiFiTransmission(
            cookie: cookie, flags: message.number(.flags) ?? 0, frequency: UInt16(truncatingIfNeeded: frequency),
            rates: rates, frame: frame)
    }
}
