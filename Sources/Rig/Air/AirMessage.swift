import BoardProtocol
import Foundation
import RadioModel
import RigModel

/// The words between the air and its clients, and the arguments of `hil-air`.
package enum AirProtocol {
    /// Raised when any of these words changes. Who starts an air says which version it speaks: an air of another one says so
    /// and ends.
    package static let version = 1
}

/// The kinds of frame on `air.sock`; every body is JSON.
enum AirFrameKind {
    static let request: UInt8 = 1
    static let reply: UInt8 = 2
    static let event: UInt8 = 3
    /// The largest body, in bytes.
    static let limit = 256 << 10
}

/// What a client asks of the air.
package enum AirRequest: Sendable, Hashable, Codable {
    /// Plug a radio into a board; answered when the board's kernel has it.
    case attach(BoardRole, AirRadio, adapter: AdapterID = .first)
    /// Pull it out; answered when the board's kernel has noticed.
    case detach(BoardRole, AirRadio, adapter: AdapterID = .first)
    /// Take it off the air at once, of a board that cannot notice: one without power lets go of it when it starts. With
    /// Bluetooth go all the adapters that were asked for.
    case silence(BoardRole, AirRadio)
    /// Put the boards this many metres apart; nil is out of each other's range.
    case setDistance(metres: Double?)
    /// Walk along a path, from where the boards are; answered at its end.
    case move([AirWaypoint])
    /// Misbehave so many times; answered with a number.
    case arm(AirFault, firings: Int)
    /// Misbehave no more.
    case disarm(Int)
    /// Put a station on the air, in place of one with its address.
    case add(AirStation)
    /// Take the station with this address off the air.
    case remove(DeviceAddress)
    /// Write every packet from now on into a new pcapng file at this absolute path.
    case startCapture(path: String)
    /// End the file.
    case stopCapture
    case status
}

extension AirRequest {
    /// How long the answer may take.
    package var timeLimit: Duration {
        switch self {
        case .move(let path): (path.last?.time ?? .zero) + .seconds(10)
        case .attach, .detach: .seconds(15)
        default: .seconds(10)
        }
    }
}

/// What the air answers.
package enum AirReply: Sendable, Hashable, Codable {
    case done
    /// The name that the board's kernel gave the device: `hci0`, `wlan0`.
    case attached(name: String)
    /// The fault is armed, under this number.
    case armed(Int)
    /// The fault is disarmed, and fired so often.
    case disarmed(fired: Int)
    /// The capture is complete and holds so many packets.
    case captured(packets: Int)
    case status(AirStatus)
    /// It cannot be done; why, and what to do.
    case refused(String)
}

/// What can be read of a message whose body is of another version.
struct AirNumber: Decodable {
    var id: UInt32
}

/// A request, a reply, with the number that joins them.
struct AirNumbered<Body: Codable & Sendable>: Codable, Sendable {
    var id: UInt32
    var body: Body
}

/// How the air is.
package struct AirStatus: Sendable, Hashable, Codable {
    /// One radio of one board.
    package struct Link: Sendable, Hashable, Codable {
        package var board: BoardRole
        package var radio: AirRadio
        /// Which of the board's Bluetooth adapters.
        package var adapter: AdapterID
        /// Whether the air holds the board's port.
        package var isConnected = false
        /// The device's name on the board, while it is plugged in.
        package var name: String?
        /// The radio's address.
        package var address: DeviceAddress
        /// Messages of the board.
        package var framesFromBoard = 0
        /// Messages to the board.
        package var framesToBoard = 0
        /// How often bytes of the board were no message.
        package var refusedFrames = 0
        /// Why, the last time.
        package var lastRefusal: String?

        init(board: BoardRole, radio: AirRadio, adapter: AdapterID = .first) {
            self.board = board
            self.radio = radio
            self.adapter = adapter
            address = AirAddress.of(radio, on: board, adapter: adapter)
        }
    }

    /// Metres; nil is out of range.
    package var distance: Double?
    /// What arrives of Bluetooth at the other board, in dBm; nil is nothing.
    package var bluetoothSignal: Int8?
    /// What arrives of Wi-Fi at the other board, in dBm; nil is nothing.
    package var wifiSignal: Int8?
    package var links: [Link]
    /// Where the capture is being written.
    package var capturePath: String?
    /// Packets in it.
    package var capturedPackets: Int
    /// Frames of clients that were refused.
    package var refusedClientFrames: Int

    /// One radio of one board.
    package func link(_ radio: AirRadio, of board: BoardRole, adapter: AdapterID = .first) -> Link {
        links.first { $0.board == board && $0.radio == radio && $0.adapter == adapter }
            ?? Link(board: board, radio: radio, adapter: adapter)
    }
}

/// The addresses of the virtual radios: locally administered, so that they are nobody's.
package enum AirAddress {
    /// Bluetooth: `02:00:00:00:01:B0` for the host board, `02:00:00:00:02:B0` for the accessory's, and `…:B1` to `…:B7` for
    /// further adapters. Wi-Fi: `…:01:00` and `…:02:00`, the last byte left free for more networks of one radio.
    package static func of(_ radio: AirRadio, on board: BoardRole, adapter: AdapterID = .first) -> DeviceAddress {
        let number = UInt8(truncatingIfNeeded: adapter.rawValue)
        let bytes: [UInt8] = [2, 0, 0, 0, board == .host ? 1 : 2, radio == .bluetooth ? 0xB0 &+ number : 0]
        return DeviceAddress(bytes: bytes)!  // six bytes
    }
}
