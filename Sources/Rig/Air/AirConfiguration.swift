import BoardProtocol
import RadioModel

/// The paths and limits that the air works with.
package struct AirConfiguration: Sendable {
    /// The rig's private folder.
    package var rig: String
    /// The boards that the rig has.
    package var boards: [BoardRole]
    /// RootCanal's shared library.
    package var library: String
    /// How long the boards' sockets may take to appear.
    package var portTimeout: Duration
    /// The folder for recordings of what the boards' kernels send to their radios, to be used as ``resumed`` later;
    /// nil for no recordings.
    package var recordings: String?
    /// The folder with the recordings of an earlier air whose radios the boards still have; nil if there is none.
    package var resumed: String?

    package init(
        rig: String, boards: [BoardRole] = BoardRole.allCases, library: String, portTimeout: Duration = .seconds(30),
        recordings: String? = nil, resumed: String? = nil
    ) {
        self.rig = rig
        self.boards = boards
        self.library = library
        self.portTimeout = portTimeout
        self.recordings = recordings
        self.resumed = resumed
    }

    /// The radios that the boards have from the start, one for each port.
    var radios: [LinkID] { LinkID.all.filter { boards.contains($0.board) } }

    /// The names of the files in a folder of recordings of both boards.
    package static let recordingFiles = LinkID.all.map(RadioRecording.fileName)

    /// The path of the socket that clients connect to.
    package var controlSocket: String { "\(rig)/air.sock" }

    /// The path of the socket of a board's radio port.
    func socket(of id: LinkID) -> String { "\(rig)/\(id.board.rawValue)/\(id.radio.rawValue).sock" }
}

/// The reason why the air cannot continue, in one line.
package struct AirError: Error, Sendable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
