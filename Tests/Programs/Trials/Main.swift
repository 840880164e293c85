import Foundation
import HIL
import HILCommand

/// The command `hil` with scenarios that only tests run: `hil-trials ROOM run …`.
@main
enum Main {
    /// Names the room for this program's own workers: the command starts it again, with a command line of its own.
    private static let variable = "HIL_TRIALS_ROOM"

    static func main() {
        var words = Array(CommandLine.arguments.dropFirst())
        if let name = words.first, Room.all.contains(where: { $0.name == name }) {
            setenv(variable, name, 1)
            words.removeFirst()
        }
        let name = ProcessInfo.processInfo.environment[variable]
        guard let room = Room.all.first(where: { $0.name == name }) else {
            let names = Room.all.map(\.name).joined(separator: ", ")
            FileHandle.standardError.write(Data("hil-trials: say first which room: \(names)\n".utf8))
            exit(64)
        }
        Command.main(words, of: room.scenarios(), accessories: room.accessories(), on: room.rig)
    }
}
