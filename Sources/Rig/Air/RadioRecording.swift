import BoardProtocol
import Glibc
import HILPOSIX
import RigModel
import VirtualRadio

/// The frames that one board sent on one radio port while its kernel set the radio up.
///
/// The kernel in a snapshot has already set up its controller. A fresh controller reaches the state that the kernel
/// expects when it gets the same messages.
struct RadioRecording {
    /// The board's name for the device: `hci0`.
    let name: String
    /// The board's messages since the device was plugged in.
    let messages: [RadioMessage]

    /// The path of a port's recording in a folder.
    static func path(of id: LinkID, in folder: String) -> String { "\(folder)/\(fileName(of: id))" }

    static func fileName(of id: LinkID) -> String { "\(id.board.rawValue).\(id.radio.rawValue)" }

    /// Reads a recording.
    ///
    /// - Returns: Nil if the board has no such radio: it was not plugged in.
    /// - Throws: ``AirError`` if it cannot be read, or contains anything but whole messages.
    init?(of id: LinkID, in folder: String) throws(AirError) {
        let path = RadioRecording.path(of: id, in: folder)
        var bytes: [UInt8] = []
        do throws(SystemError) {
            let file = try Descriptor.open(path, O_RDONLY)
            while case let more = try file.read(), !more.isEmpty { bytes += more }
        } catch { throw AirError("the radio's recording cannot be read: \(error)") }
        try self.init(bytes, of: path)
    }

    /// - Parameter path: The file that the bytes are from, for the error.
    init?(_ bytes: [UInt8], of path: String) throws(AirError) {
        var reader = FrameReader(limit: RadioMessage.limit)
        var (name, messages): (String?, [RadioMessage]) = (nil, [])
        for item in reader.push(bytes) + reader.giveUp() {
            guard case .frame(let frame) = item, let message = try? RadioMessage(frame) else {
                throw AirError("\(path) is not a recording of a radio")
            }
            switch message {
            case .ready, .detached: (name, messages) = (nil, [])
            case .attached(let told): name = told
            default: messages.append(message)
            }
        }
        guard let name else { return nil }
        self.name = name
        self.messages = messages
    }
}

/// Writes the recordings of all radio ports into a folder.
final class RadioRecorder {
    private let files: [LinkID: Descriptor]

    /// - Parameters:
    ///   - folder: An existing folder without recordings.
    ///   - earlier: The folder with the recordings that these continue; nil if the boards boot.
    init(folder: String, continuing earlier: String? = nil) throws(SystemError) {
        var files: [LinkID: Descriptor] = [:]
        for id in LinkID.all {
            let file = try Descriptor.open(RadioRecording.path(of: id, in: folder), O_WRONLY | O_CREAT | O_EXCL)
            if let earlier {
                let before = try Descriptor.open(RadioRecording.path(of: id, in: earlier), O_RDONLY)
                while case let bytes = try before.read(), !bytes.isEmpty { try file.write(bytes) }
            }
            files[id] = file
        }
        self.files = files
    }

    /// Adds a frame that a board sent.
    func add(_ frame: Frame, of id: LinkID) throws(SystemError) { try files[id]?.write(frame.bytes) }
}
