import BoardProtocol
import Foundation
import RadioModel
import RigModel

/// The version of the messages between the air and its clients, and of the arguments of `hil-air`.
package enum AirProtocol {
    /// Raise it when any of these messages changes. The program that starts an air passes its own version; an air of
    /// another version reports the mismatch and exits.
    package static let version = 4
}

/// The kinds of frame on `air.sock`; every body is JSON.
enum AirFrameKind {
    static let request: UInt8 = 1
    static let reply: UInt8 = 2
    static let event: UInt8 = 3
    /// The largest body, in bytes.
    static let limit = 256 << 10
}

/// A request of a client to the air.
package enum AirRequest: Sendable, Hashable, Codable {
    /// Plugs a radio into a board. The answer comes when the board's kernel has the device.
    case attach(BoardRole, AirRadio, adapter: AdapterID = .first)
    /// Pulls a radio out of a board. The answer comes when the board's kernel has noticed.
    case detach(BoardRole, AirRadio, adapter: AdapterID = .first)
    /// Takes a radio of a board without power off the air at once; the board cannot notice. With Bluetooth, all further
    /// adapters go as well.
    case silence(BoardRole, AirRadio)
    /// Sets the distance between the boards, in metres; nil is out of range.
    case setDistance(metres: Double?)
    /// Sets the distance between the home's router and a board, in metres; nil is out of range.
    case setHome(metres: Double?, from: BoardRole)
    /// Moves the boards along a path, from their present distance. The answer comes at its end.
    case move([AirWaypoint])
    /// Arms a fault, to fire this many times. The answer is the fault's number.
    case arm(AirFault, firings: Int)
    /// Disarms the fault with this number.
    case disarm(Int)
    /// Puts a station on the air. It replaces a station with the same address.
    case add(AirStation)
    /// Takes the station with this address off the air.
    case remove(DeviceAddress)
    /// Makes a controller for a host stack, with this address or the next free one. It is removed when its client is
    /// gone.
    case attachStack(address: DeviceAddress?)
    /// Makes the controller of the phone's own host stack, in place of the host board's adapter. It is removed when its
    /// client is gone.
    case attachPhone
    /// Removes the controller of a host stack.
    case detachStack(AdapterID)
    /// Writes every packet from now on into a new pcapng file at this absolute path.
    case startCapture(path: String)
    /// Ends the capture file.
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

/// The air's answer to a request.
package enum AirReply: Sendable, Hashable, Codable {
    case done
    /// The name that the board's kernel gave the device: `hci0`, `wlan0`.
    case attached(name: String)
    /// The fault is armed. Its number is needed to disarm it.
    case armed(Int)
    /// The fault is disarmed; with the number of times it fired.
    case disarmed(fired: Int)
    /// The controller of a host stack waits for its program.
    case stack(HostStackPort)
    /// The capture is complete; with the number of packets in it.
    case captured(packets: Int)
    case status(AirStatus)
    /// The request was refused; with the reason and what to do.
    case refused(String)
}

/// The number of a message: the only part that can be read if its body is of another version.
struct AirNumber: Decodable {
    var id: UInt32
}

/// A request or a reply, with the number that matches a reply to its request.
struct AirNumbered<Body: Codable & Sendable>: Codable, Sendable {
    var id: UInt32
    var body: Body
}

/// The state of the air: its radios, distance and capture.
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
        /// Messages that the board sent.
        package var framesFromBoard = 0
        /// Messages that the air sent to the board.
        package var framesToBoard = 0
        /// How often bytes from the board were not a valid message.
        package var refusedFrames = 0
        /// Why the last of them was refused.
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
    /// The Bluetooth signal at the other board, in dBm; nil if it hears nothing.
    package var bluetoothSignal: Int8?
    /// The Wi-Fi signal at the other board, in dBm; nil if it hears nothing.
    package var wifiSignal: Int8?
    package var links: [Link]
    /// The path of the file that the capture is written to; nil if nothing is captured.
    package var capturePath: String?
    /// Packets in the capture so far.
    package var capturedPackets: Int
    /// Frames of clients that were refused.
    package var refusedClientFrames: Int

    /// One radio of one board.
    package func link(_ radio: AirRadio, of board: BoardRole, adapter: AdapterID = .first) -> Link {
        links.first { $0.board == board && $0.radio == radio && $0.adapter == adapter }
            ?? Link(board: board, radio: radio, adapter: adapter)
    }
}

/// The addresses of the virtual radios. They are locally administered, so that no real device has them.
package enum AirAddress {
    /// Bluetooth: `02:00:00:00:01:B0` for the host board, `02:00:00:00:02:B0` for the accessory's, `…:B1` to `…:B7` for
    /// further adapters, and `02:00:00:00:02:B8` to `…:BF` for host stacks. Wi-Fi: `…:01:00` and `…:02:00`, and
    /// `…:03:00` for the home's router, the last byte left free for more networks of one radio.
    package static func of(_ radio: AirRadio, on board: BoardRole, adapter: AdapterID = .first) -> DeviceAddress {
        let number = UInt8(truncatingIfNeeded: adapter.rawValue)
        if radio == .wifi, adapter == .homeRouter { return DeviceAddress(bytes: [2, 0, 0, 0, 3, 0])! }  // six bytes
        let bytes: [UInt8] = [2, 0, 0, 0, board == .host ? 1 : 2, radio == .bluetooth ? 0xB0 &+ number : 0]
        return DeviceAddress(bytes: bytes)!  // six bytes
    }

    /// The addresses of all radios that boards can have.
    static let ofBoards =
        [of(.wifi, on: .host, adapter: .homeRouter)]
        + BoardRole.allCases.flatMap { board in
            [of(.wifi, on: board)]
                + (0..<AdapterID.limit).map { of(.bluetooth, on: board, adapter: AdapterID(rawValue: $0)) }
        }
}
