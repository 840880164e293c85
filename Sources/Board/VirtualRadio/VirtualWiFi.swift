import Glibc
import HILPOSIX
import HILWiFi
import RadioModel

/// A Wi-Fi radio for the board's kernel: one radio of `mac80211_hwsim`, with this program as its medium.
final class VirtualWiFi: VirtualDevice {
    private let medium: HwsimMedium
    private let readiness: Poller
    private let address: DeviceAddress
    private let radio: Int32
    private let inUse: ChannelsInUse?
    private var waiting: [RadioMessage]

    /// - Parameters:
    ///   - address: The permanent address of the radio. No other radio of the medium may have it.
    ///   - channels: How many channels the radio can use at once.
    ///   - medium: The medium of all radios of the board.
    ///   - inUse: Where to write the channels in use; nil for a radio that does not look for networks.
    init(address: DeviceAddress, channels: UInt8, on medium: HwsimMedium, inUse: ChannelsInUse?) throws {
        self.inUse = inUse
        self.medium = medium
        self.address = address
        readiness = try medium.readiness()
        radio = try medium.addRadio(at: address, channels: channels)
        // Found by its address: the board may just be renaming the interface.
        let interface = try WirelessInterface.find(address)
        try interface?.useOrdinaryWay()
        waiting = [.attached(name: interface?.name ?? "phy of radio \(radio)")]
    }

    var descriptor: Int32 { readiness.descriptor.raw }

    var hasWaiting: Bool { medium.hasWaiting(for: address) }

    func drain() -> [RadioMessage] {
        let messages = waiting + medium.receive(for: address).compactMap(VirtualWiFi.message)
        waiting = []
        return messages
    }

    func take(_ message: RadioMessage) -> String? {
        do {
            switch message {
            case .status(let status): try report(status)
            case .receive(let reception): try deliver(reception)
            case .channels(let frequencies): try inUse?.write(frequencies)
            default: return "refused: not a Wi-Fi message"
            }
            return nil
        } catch { return "\(error)" }
    }

    func unplug() {
        inUse?.remove()
        medium.removeRadio(radio, at: address)
    }

    private func report(_ status: WiFiStatus) throws(NetlinkError) {
        try medium.send(
            .transmissionInfo,
            [
                (.transmitter, address.bytes), (.flags, littleEndian(status.flags)),
                (.cookie, littleEndian(status.cookie)), (.signal, littleEndian(Int32(status.signal))),
                (.transmissionInfo, status.rates.flatMap { [UInt8(bitPattern: $0.index), $0.tries] }),
            ])
    }

    /// The kernel answers `EINVAL` for a frame on a channel that the radio does not listen on. This is no fault.
    private func deliver(_ reception: WiFiReception) throws(NetlinkError) {
        try medium.send(
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
