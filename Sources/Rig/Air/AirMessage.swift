import BoardProtocol
import Foundation
import HILPOSIX
import RadioModel
import RigModel

/// The version of the messages between the air and its clients, and of the arguments of `hil-air`.
package enum AirProtocol {
    /// Raise it when any of these messages changes. The program that starts an air passes its own version; an air of
    /// another version reports the mismatch and exits.
    package static let version = 6
}

/// The kinds of frame on `air.sock`; every body is JSON.
enum AirFrameKind {
    static let calls = CallFrameKinds(call: 1, answer: 2, event: 3)
    /// The largest body, in bytes.
    static let limit = 256 << 10
}

/// What a client asks of the air.
package enum AirCall: Call, Hashable {
    package typealias Failure = AirRefusal

    /// Plugs a radio into a board. Answered when the board's kernel has the device, with the name that it gave it:
    /// `hci0`, `wlan0`.
    case attach(BoardRole, AirRadio, adapter: AdapterID = .first, Reply<String>)
    /// Pulls a radio out of a board. Answered when the board's kernel has noticed.
    case detach(BoardRole, AirRadio, adapter: AdapterID = .first, Reply<Done>)
    /// Takes a radio of a board without power off the air at once; the board cannot notice. With Bluetooth, all further
    /// adapters go as well.
    case silence(BoardRole, AirRadio, Reply<Done>)
    /// Sets the distance between the boards, in metres; nil is out of range.
    case setDistance(metres: Double?, Reply<Done>)
    /// Sets the distance between the home's router and a board, in metres; nil is out of range.
    case setHome(metres: Double?, from: BoardRole, Reply<Done>)
    /// Moves the boards along a path, from their present distance. Answered at its end.
    case move([AirWaypoint], Reply<Done>)
    /// Arms a fault, to fire this many times. Answers the fault's number.
    case arm(AirFault, firings: Int, Reply<Int>)
    /// Disarms the fault with this number. Answers how often it fired.
    case disarm(Int, Reply<Int>)
    /// Puts a station on the air. It replaces a station with the same address.
    case add(AirStation, Reply<Done>)
    /// Takes the station with this address off the air.
    case remove(DeviceAddress, Reply<Done>)
    /// Makes a controller for a host stack, with this address or the next free one. It is removed when its client is
    /// gone. Answers where its program finds it.
    case attachStack(address: DeviceAddress?, Reply<HostStackPort>)
    /// Makes the controller of the phone's own host stack, in place of the host board's adapter. It is removed when its
    /// client is gone.
    case attachPhone(Reply<HostStackPort>)
    /// Removes the controller of a host stack.
    case detachStack(AdapterID, Reply<Done>)
    /// Writes every packet from now on into a new pcapng file at this absolute path.
    case startCapture(path: String, Reply<Done>)
    /// Ends the capture file. Answers the number of packets in it.
    case stopCapture(Reply<Int>)
    case status(Reply<AirStatus>)
}

extension AirCall {
    /// How long the answer may take.
    package var timeLimit: Duration {
        switch self {
        case .move(let path, _): (path.last?.time ?? .zero) + .seconds(10)
        case .attach, .detach: .seconds(15)
        case .silence, .setDistance, .setHome, .arm, .disarm, .add, .remove, .attachStack, .attachPhone, .detachStack,
            .startCapture, .stopCapture, .status:
            .seconds(10)
        }
    }
}

/// Why the air refused a call, and what to do.
package struct AirRefusal: Error, Hashable, Codable {
    package var why: String

    package init(_ why: String) { self.why = why }
}

extension Call where Failure == AirRefusal {
    package static func unanswerable(_ why: String) -> AirRefusal { AirRefusal(why) }
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
    /// `…:03:00` for the home's router, the last byte left free for more networks of one radio; `…:04:00` and `…:05:00`
    /// for strangers.
    package static func of(_ radio: AirRadio, on board: BoardRole, adapter: AdapterID = .first) -> DeviceAddress {
        let number = UInt8(truncatingIfNeeded: adapter.rawValue)
        // Each has six bytes.
        if radio == .wifi, adapter != .first { return DeviceAddress(bytes: [2, 0, 0, 0, 2 &+ number, 0])! }
        let bytes: [UInt8] = [2, 0, 0, 0, board == .host ? 1 : 2, radio == .bluetooth ? 0xB0 &+ number : 0]
        return DeviceAddress(bytes: bytes)!
    }

    /// The addresses of all radios that boards can have.
    static let ofBoards =
        ([.homeRouter] + AdapterID.strangers).map { of(.wifi, on: .host, adapter: $0) }
        + BoardRole.allCases.flatMap { board in
            [of(.wifi, on: board)]
                + (0..<AdapterID.limit).map { of(.bluetooth, on: board, adapter: AdapterID(rawValue: $0)) }
        }
}
