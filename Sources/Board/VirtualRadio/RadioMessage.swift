import HILPOSIX
import RadioModel

/// A message between a board's radio port and the air: the wire format of `/dev/vport0p2` and `/dev/vport0p3`.
///
/// Each message is one ``Frame``. The kind of the frame identifies the message; the payload is described below. Numbers
/// are little-endian, addresses have the most significant byte first. Both ports use the same messages. Messages with
/// an 802.11 frame are for the Wi-Fi port only.
///
/// | kind | message | direction | payload |
/// |---|---|---|---|
/// | 0x01 | reset | air → board | token 4 |
/// | 0x02 | ready | board → air | token 4; 0 if the board has just started |
/// | 0x03 | attach | air → board | address 6, channels 1 |
/// | 0x04 | attached | board → air | name of the device: `hci0`, `wlan0`; UTF-8 |
/// | 0x05 | detach | air → board | – |
/// | 0x06 | detached | board → air | reason; empty if it was requested; UTF-8 |
/// | 0x10 | packet | both | an HCI packet with its H4 type (Core Specification, volume 4, part A, 2) |
/// | 0x20 | transmit | board → air | cookie 8, flags 4, MHz 2, 4 × (rate 1, tries 1, rate flags 2), 802.11 frame |
/// | 0x21 | status | air → board | cookie 8, flags 4, dBm 1, 4 × (rate 1, tries 1) |
/// | 0x22 | receive | air → board | MHz 2, dBm 1, rate 1, 802.11 frame |
/// | 0x23 | hears | board → air | 1 from now on, 0 no longer; address 6 |
/// | 0x24 | channels | air → board | the channels in use: MHz 2 each |
/// | 0x30 | note | board → air | a line for the log; UTF-8 |
/// | 0x40 | of | both | adapter 1, not 0; the kind 1 and the payload of a message |
///
/// The air starts with `reset`. The board removes its virtual hardware and answers `ready` with the same token.
/// `attach` and packets follow only after that, so that nothing from an earlier connection is mistaken for this one.
///
/// A port may carry further devices of its kind. Their messages are wrapped in `of`, with the number of the device.
/// Each is reset, attached and detached separately. A `reset` without wrapping removes all of them.
package indirect enum RadioMessage: Sendable, Equatable {
    /// Remove the virtual hardware, and answer `ready` with this token.
    case reset(token: UInt32)
    /// The virtual hardware is removed. The next message may attach it again.
    case ready(token: UInt32)
    /// Add the device. Bluetooth ignores both values: its address comes from its controller.
    case attach(address: DeviceAddress, channels: UInt8)
    /// The kernel has added the device, with this name.
    case attached(name: String)
    /// Remove the device.
    case detach
    /// The device was removed or could not be added. The reason is empty if removing was requested.
    case detached(reason: String)
    /// An H4 packet: from the board to its controller, or from the air to the board.
    case packet([UInt8])
    /// The kernel transmits.
    case transmit(WiFiTransmission)
    /// The result of a transmission.
    case status(WiFiStatus)
    /// The radio receives a frame.
    case receive(WiFiReception)
    /// The radio receives frames for an address from now on, or no longer.
    case hears(DeviceAddress, Bool)
    /// The centre frequencies in MHz of the channels in use. Sent when the radio is there, and after each change.
    case channels([UInt16])
    /// A line for the log.
    case note(String)
    /// A message to or from a further device of the port, with number 1 or more.
    case of(adapter: UInt8, RadioMessage)

    /// The largest payload on a radio port: an H4 packet of a further device with the longest ACL data.
    package static let limit = 2 + 1 + 4 + 65_535
    /// The longest 802.11 frame: the longest A-MSDU in an MPDU of VHT, 11,454 bytes.
    package static let wifiFrameLimit = 11_454
}

/// One rate of a transmission's series: `struct hwsim_tx_rate` and `struct hwsim_tx_rate_flag`.
package struct WiFiRate: Sendable, Equatable {
    /// The index into the rates of the band, or the MCS; -1 ends the series.
    package var index: Int8
    /// How many times the frame is tried at this rate.
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

    /// An unused place in a series.
    package static let none = WiFiRate(index: -1, tries: 0)
    /// How many rates a series has: `IEEE80211_TX_MAX_RATES`.
    package static let seriesCount = 4
}

/// A frame that the board's kernel transmits.
package struct WiFiTransmission: Sendable, Equatable {
    /// The sender wants to know whether the frame was acknowledged: `HWSIM_TX_CTL_REQ_TX_STATUS`.
    package static let wantsStatus: UInt32 = 1 << 0
    /// The frame is not acknowledged: `HWSIM_TX_CTL_NO_ACK`.
    package static let noAcknowledgement: UInt32 = 1 << 1

    /// The kernel's number for the frame, until it gets the status.
    package var cookie: UInt64
    /// `HWSIM_TX_CTL_…`.
    package var flags: UInt32
    /// The centre of the channel, in MHz.
    package var frequency: UInt16
    /// The rate series: ``WiFiRate/seriesCount`` rates.
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

/// The result of a transmission.
package struct WiFiStatus: Sendable, Equatable {
    /// The frame was acknowledged: `HWSIM_TX_STAT_ACK`.
    package static let acknowledged: UInt32 = 1 << 2

    /// The cookie of the transmission.
    package var cookie: UInt64
    /// The flags of the transmission, with ``acknowledged`` if it was.
    package var flags: UInt32
    /// The strength of the acknowledgement in dBm.
    package var signal: Int8
    /// The series of the transmission. Its rate flags are not sent.
    package var rates: [WiFiRate]

    package init(cookie: UInt64, flags: UInt32, signal: Int8, rates: [WiFiRate]) {
        self.cookie = cookie
        self.flags = flags
        self.signal = signal
        self.rates = (0..<WiFiRate.seriesCount).map { $0 < rates.count ? rates[$0] : .none }
    }
}

/// A frame that a radio receives.
package struct WiFiReception: Sendable, Equatable {
    /// The centre of the channel, in MHz.
    package var frequency: UInt16
    /// The signal strength in dBm.
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
