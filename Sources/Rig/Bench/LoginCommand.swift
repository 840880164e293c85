import Foundation

/// The commands that reach a board.
enum LoginCommand {
    /// Where `hil bench prepare` puts the program.
    static let program = "/opt/hil/hil-board"

    /// Runs the board's keeper.
    static func keep(on board: BoardAddress) -> [String] {
        // sshd tells a session at which address of the board it came in.
        run("\(program) keep \"$SSH_CONNECTION\"", on: board)
    }

    /// Runs a command as root on a board.
    ///
    /// - Parameter command: For a shell; it must hold no text from outside unless that is quoted.
    static func run(_ command: String, on board: BoardAddress) -> [String] {
        switch board {
        case .ssh(let name): ssh + ["--", destination(name), "sudo -n \(command)"]
        case .local: (geteuid() == 0 ? [] : ["sudo", "-n"]) + ["sh", "-c", command]
        }
    }

    /// What ssh takes for a destination: a name as it is, and one with a port, `pi@10.0.0.7:2222`, as a URI.
    static func destination(_ name: String) -> String {
        name.wholeMatch(of: /([^@]+@)?([^:\[\]]+|\[[^\]]+\]):\d{1,5}/) == nil ? name : "ssh://\(name)"
    }

    /// ssh with the user's own configuration, and what a run insists on: nobody is asked anything, a dead connection is
    /// noticed within ten seconds, a board whose key is not known or has changed is not talked to, and a board gets no way
    /// to this machine or to the user's keys. `HIL_SSH_CONFIG` names another file than `~/.ssh/config`.
    static var ssh: [String] {
        let file = ProcessInfo.processInfo.environment["HIL_SSH_CONFIG"].flatMap { $0.isEmpty ? nil : $0 }
        let options = [
            "BatchMode=yes", "ConnectTimeout=10", "ServerAliveInterval=3", "ServerAliveCountMax=3",
            "StrictHostKeyChecking=yes", "ControlPath=none", "LogLevel=ERROR", "ForwardAgent=no", "ForwardX11=no",
            "ClearAllForwardings=yes", "PermitLocalCommand=no",
        ]
        return ["ssh"] + (file.map { ["-F", $0] } ?? []) + ["-T"] + options.flatMap { ["-o", $0] }
    }
}
