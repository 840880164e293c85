import Foundation

/// The commands that reach a board.
enum LoginCommand {
    /// The place where `hil bench prepare` installs the program.
    static let program = "/opt/hil/hil-board"

    /// Runs the board's keeper.
    static func keep(on board: BoardAddress) -> [String] {
        // sshd gives a session the board's address of its connection.
        run("\(program) keep \"$SSH_CONNECTION\"", on: board)
    }

    /// Runs a command as root on a board.
    ///
    /// - Parameter command: For a shell; text from outside must be quoted.
    static func run(_ command: String, on board: BoardAddress) -> [String] {
        switch board {
        case .ssh(let name): ssh + ["--", destination(name), "sudo -n \(command)"]
        case .local: (geteuid() == 0 ? [] : ["sudo", "-n"]) + ["sh", "-c", command]
        }
    }

    /// The destination for ssh: a name unchanged, or one with a port, `pi@10.0.0.7:2222`, as a URI.
    static func destination(_ name: String) -> String {
        name.wholeMatch(of: /([^@]+@)?([^:\[\]]+|\[[^\]]+\]):\d{1,5}/) == nil ? name : "ssh://\(name)"
    }

    /// ssh with the user's own configuration and the settings of a run: no prompts, a dead connection is noticed within
    /// ten seconds, a board with an unknown or changed key is refused, and a board gets no access to this machine or to
    /// the user's keys. `HIL_SSH_CONFIG` names a file in place of `~/.ssh/config`.
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
