import Framing
import RadioModel

/// What a board's radio port and the air say to each other: the wire format of `/dev/vport0p2` and `/dev/vport0p3`.
///
/// Each message is one ``Frame``: its kind names the message, its payload is laid out as below; numbers are little-endian,
/// addresses most significant byte first. The same messages serve both ports; those with an 802.11 frame only the Wi-Fi port.
///
/// | kind | message | way | payload |
/// |---|---|---|---|
/// | 0x01 | reset | air → board | token 4 |
/// | 0x02 | ready | board → air | token 4; 0 tells that the board has just started |
/// | 0x03 | attach | air → board | address 6, channels 1 |
/// | 0x04 | attached | board → air | name of the device: `hci0`, `wlan0`; UTF-8 |
/// | 0x05 | detach | air → board | – |
/// | 0x06 | detached | board → air | reason; empty when it was asked for; UTF-8 |
/// | 0x10 | packet | both | an HCI packet with its H4 type (Core Specification, volume 4, part A, 2) |
/// | 0x20 | transmit | board → air | cookie 8, flags 4, MHz 2, 4 × (rate 1, tries 1, rate flags 2), 802.11 frame |
/// | 0x21 | status | air → board | cookie 8, flags 4, dBm 1, 4 × (rate 1, tries 1) |
/// | 0x22 | receive | air → board | MHz 2, dBm 1, rate 1, 802.11 frame |
/// | 0x23 | hears | board → air | 1 from now on, 0 no more; address 6 |
/// | 0x24 | channels | air → board | the channels that are in use: MHz 2 each |
/// | 0x30 | note | board → air | a line for the log; UTF-8 |
/// | 0x40 | of | both | adapter 1, which is not 0; the message's kind 1 and payload |
///
/// The air begins with `reset`; the board drops its virtual hardware and answers `ready` with the same token. Only then follow
/// `attach` and packets, so that nothing of an earlier connection is taken for this one's.
///
/// A port may carry more devices of its kind: what is said of one or through it is wrapped in `of`, with the device's number.
/// Each is reset, attached and detached by itself; a `reset` without a number drops all of them.
package indirect enum RadioMessage: Sendable, Equatable {
    /// Drop the virtual hardware, and say ready with this token.
    case reset(token: UInt32)
    /// There is no virtual hardware, and the next message may attach it.
    case ready(token: UInt32)
    /// Plug the device in. Bluetooth ignores the numbers: its address comes from its controller.
    case attach(address: DeviceAddress, channels: UInt8)
    /// The kernel has the device, under this name.
    case attached(name: String)
    /// Pull the device out.
    case detach
    /// The device is gone, or could not be made; the reason is empty when it was asked for.
    case detached(reason: String)
    /// An H4 packet: from the board towards its controller, from the air towards its host.
    case packet([UInt8])
    /// The kernel transmits.
    case transmit(WiFiTransmission)
    /// What became of a transmission.
    case status(WiFiStatus)
    /// The radio hears a frame.
    case receive(WiFiReception)
    /// The radio takes frames for an address, or no longer does.
    case hears(DeviceAddress, Bool)
    /// The centres of the channels on which there is something to hear, MHz: told when the radio is there, and when it changes.
    case channels([UInt16])
    /// Something for the log.
    case note(String)
    /// A message of one of the port's further devices, or for it: 1 or more.
    case of(adapter: UInt8, RadioMessage)

    /// The largest payload on a radio port: an H4 packet with the longest ACL data, of a further device.
    package static let limit = 2 + 1 + 4 + 65_535
    /// The longest 802.11 frame that is carried: the longest A-MSDU in an MPDU of VHT, 11,454 bytes.
    package static let wifiFrameLimit = 11_454
}

/// One rate of a transmission's series, as `struct hwsim_tx_rate` and `struct hwsim_tx_rate_flag` have it.
package struct WiFiRate: Sendable, Equatable {
    /// The index into the band's rates or the MCS; -1 ends the series.
    package var index: Int8
    /// How often the frame is tried at this rate.
    package var tries: UInt8
    /// `MAC80211_HWSIM_TX_RC_…`.
    package var flags: UInt16

    /// The flags that make ``index`` an HT or VHT MCS.
    package static let mcsFlags: UInt16 = 1 << 3 | 1 << 8

    package init(index: Int8, tries: UInt8, flags: UInt16 = 0) {
        self.index = index
        self.tries = tries
        self.flags = flags
    }

    /// No rate.
    package static let none = WiFiRate(index: -1, tries: 0)
    /// How many rates a series has: `IEEE80211_TX_MAX_RATES`.
    package static let seriesCount = 4
}

/// A frame that the board's kernel transmits.
package struct WiFiTransmission: Sendable, Equatable {
    /// The sender wants to know whether it was acknowledged: `HWSIM_TX_CTL_REQ_TX_STATUS`.
    package static let wantsStatus: UInt32 = 1 << 0
    /// Nobody is to acknowledge it: `HWSIM_TX_CTL_NO_ACK`.
    package static let noAcknowledgement: UInt32 = 1 << 1

    /// What the kernel knows the frame by until its status comes.
    package var cookie: UInt64
    /// `HWSIM_TX_CTL_…`.
    package var flags: UInt32
    /// The centre of the channel, in MHz.
    package var frequency: UInt16
    /// The rate series; ``WiFiRate/seriesCount`` of them.
    package var rates: [WiFiRate]
    /// The 802.11 frame, without FCS.
    package var frame: [UInt8]

    package init(cookie: UInt64, flags: UInt32, frequency: UInt16, rates: [WiFiRate], frame: [UInt8]) {
        self.cookie = cookie
        self.flags = flags
        self.frequency = frequency
        self.rates = (0..<WiFiRate.seriesCount).map { $0 < rates.count ? rates[$0] : .none }
        self.frame = frame
    }
}

/// What became of a transmission.
package struct WiFiStatus: Sendable, Equatable {
    /// The frame was acknowledged: `HWSIM_TX_STAT_ACK`.
    package static let acknowledged: UInt32 = 1 << 2

    /// The transmission's.
    package var cookie: UInt64
    /// The transmission's, with ``acknowledged`` where it was.
    package var flags: UInt32
    /// How strong the acknowledgement was, in dBm.
    package var signal: Int8
    /// The transmission's series; its rate flags do not travel.
    package var rates: [WiFiRate]

    package init(cookie: UInt64, flags: UInt32, signal: Int8, rates: [WiFiRate]) {
        self.cookie = cookie
        self.flags = flags
        self.signal = signal
        self.rates = (0..<WiFiRate.seriesCount).map { $0 < rates.count ? rates[$0] : .none }
    }
}

/// A frame that a radio hears.
package struct WiFiReception: Sendable, Equatable {
    /// The centre of the channel, in MHz.
    package var frequency: UInt16
    /// In dBm.
    package var signal: Int8
    /// The index into the rates of the band.
    package var rate: UInt8
    /// The 802.11 frame, without FCS.
    package var frame: [UInt8]

    package init(frequency: UInt16, signal: Int8, rate: UInt8, frame: [UInt8]) {
        self.frequency = frequency
        self.signal = signal
        self.rate = rate
        self.frame = frame
    }
}
