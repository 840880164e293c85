import BoardProtocol
import Framing
import Glibc
import POSIX
import RigModel
import VirtualRadio

/// What one board said on one radio port while its kernel set the radio up: the frames as they came.
///
/// A snapshot holds a kernel that has set up its controller and wants to hear of it what belongs to that. A fresh
/// controller that is told the same things again is what the kernel takes it for.
struct RadioRecording {
    /// What the board's kernel calls the device: `hci0`.
    let name: String
    /// What it said to the device and of it, since that was plugged in.
    let messages: [RadioMessage]

    /// Where a port's recording is in a folder.
    static func path(of id: LinkID, in folder: String) -> String { "\(folder)/\(fileName(of: id))" }

    static func fileName(of id: LinkID) -> String { "\(id.board.rawValue).\(id.radio.rawValue)" }

    /// Reads a recording.
    ///
    /// - Throws: ``AirError`` when it cannot be read, holds anything but whole messages, or no device was plugged in.
    init(of id: LinkID, in folder: String) throws(AirError) {
        let path = RadioRecording.path(of: id, in: folder)
        var bytes: [UInt8] = []
        do throws(SystemError) {
            let file = try Descriptor.open(path, O_RDONLY)
            while case let more = try file.read(), !more.isEmpty { bytes += more }
        } catch { throw AirError("the radio's recording cannot be read: \(error)") }
        try self.init(bytes, of: path)
    }

    /// - Parameter path: Where the bytes are from, for the error.
    init(_ bytes: [UInt8], of path: String) throws(AirError) {
        var reader = FrameReader(limit: RadioMessage.limit)
        var (name, messages): (String?, [RadioMessage]) = (nil, [])
        for item in reader.push(bytes) + reader.giveUp() {
            guard case .frame(let frame) = item, let message = try? RadioMessage(frame) else {
                throw AirError("\(path) is no recording of a radio")
            }
            switch message {
            case .ready, .detached: (name, messages) = (nil, [])
            case .attached(let told): name = told
            default: messages.append(message)
            }
        }
        guard let name else { throw AirError("\(path) is the recording of a radio that was not plugged in") }
        self.name = name
        self.messages = messages
    }
}

/// Writes the recordings of all radio ports into a folder.
final class RadioRecorder {
    private let files: [LinkID: Descriptor]

    /// - Parameter folder: It exists, and has none yet.
    init(folder: String) throws(SystemError) {
        var files: [LinkID: Descriptor] = [:]
        for id in LinkID.all {
            files[id] = try Descriptor.open(RadioRecording.path(of: id, in: folder), O_WRONLY | O_CREAT | O_EXCL)
        }
        self.files = files
    }

    /// Adds a frame of a board's.
    func add(_ frame: Frame, of id: LinkID) throws(SystemError) { try files[id]?.write(frame.bytes) }
}
