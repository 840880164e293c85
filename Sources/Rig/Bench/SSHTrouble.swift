import RigModel

/// Messages of ssh, sudo and the board's shell when a board cannot be used, with remedies.
enum SSHTrouble {
    /// Turns their output into a failure.
    ///
    /// - Parameters:
    ///   - text: Their output to standard error.
    ///   - otherwise: The reason if they printed nothing.
    static func explain(
        _ text: String, on board: BoardAddress, while action: String, otherwise: String
    ) -> RigFailure {
        let known: [(says: String, reason: String, remedy: String)] = [
            (
                "REMOTE HOST IDENTIFICATION HAS CHANGED", "its host key has changed",
                "if the board was reinstalled, run `ssh-keygen -R \(board)` and `ssh \(board)` once; "
                    + "else ask who changed it"
            ),
            (
                "Host key verification failed", "its host key is unknown here",
                "log in once with `ssh \(board)` and compare the key"
            ),
            (
                "Permission denied", "it refuses the login",
                "put a key into its authorized_keys (`ssh-copy-id \(board)`), and name it in the SSH configuration"
            ),
            (
                "Could not resolve hostname", "its name is unknown",
                "name it in ~/.ssh/config, or check that the name server knows it"
            ),
            ("Connection refused", "it runs no SSH server", "`sudo systemctl enable --now ssh` on the board"),
            ("No route to host", "it cannot be reached", "check its power and its cable"),
            ("Connection timed out", "it cannot be reached", "check its power and its cable"),
            ("timed out during banner exchange", "it cannot be reached", "check that it is not overloaded"),
            (
                "sudo: a password is required", "sudo asks for a password there",
                "let its user call sudo without one: a file in /etc/sudoers.d with `USER ALL=(ALL) NOPASSWD: ALL`"
            ),
            (
                "is not in the sudoers file", "its user may not use sudo there",
                "let its user call sudo without a password: a file in /etc/sudoers.d"
            ),
            ("sudo: command not found", "it has no sudo", "`apt-get install sudo` on the board"),
            ("sudo: not found", "it has no sudo", "`apt-get install sudo` on the board"),
            (
                "\(LoginCommand.program): command not found", "it was not prepared",
                "run `hil bench prepare` for it"
            ),
            ("\(LoginCommand.program): not found", "it was not prepared", "run `hil bench prepare` for it"),
            ("\(LoginCommand.program): No such file", "it was not prepared", "run `hil bench prepare` for it"),
            (
                "cannot execute binary file", "its hil-board is for another processor",
                "run `hil bench prepare` for it again"
            ),
            ("Exec format error", "its hil-board is for another processor", "run `hil bench prepare` for it again"),
            ("No space left on device", "its disk is full", "free some space on the board"),
            (
                "not responding", "it does not answer any more",
                "check its power and its cable; it gives itself back within ten seconds"
            ),
            (
                "Connection to", "the connection was cut",
                "check its cable and its power; it gives itself back within ten seconds"
            ),
        ]
        if let found = known.first(where: { text.contains($0.says) }) {
            return RigFailure(action, on: "\(board)", found.reason, remedy: found.remedy)
        }
        // sudo prints this on every board whose name is not in its own /etc/hosts, and continues.
        let lines = text.split(whereSeparator: \.isNewline).filter { !$0.contains("sudo: unable to resolve host") }
        guard let last = lines.last else {
            let remedy = "check its cable and its power, and that it is not overloaded"
            return RigFailure(action, on: "\(board)", otherwise, remedy: remedy)
        }
        return RigFailure(action, on: "\(board)", String(last))
    }
}
