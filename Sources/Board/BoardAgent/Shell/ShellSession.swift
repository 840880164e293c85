import BoardProtocol
import Dispatch
import Glibc
import POSIX
import Timing

/// A program that somebody runs on the board, with a terminal or with pipes.
final class ShellSession: Sendable {
    private static let shell = access("/bin/bash", X_OK) == 0 ? "/bin/bash" : "/bin/sh"
    private static let busybox = "/usr/bin/busybox"
    /// How long the output of what a program left running is waited for.
    private static let patience = Duration.seconds(1)

    private let child: ChildProcess
    private let terminal: PseudoTerminal?
    private let input: Descriptor
    /// What is typed waits here for a program that does not read.
    private let typing = DispatchQueue(label: "shell-input")

    /// Starts the program.
    ///
    /// - Parameter send: Takes what it writes, and its end.
    init(_ request: ShellRequest, send: @escaping @Sendable (ShellMessage) -> Void) throws(SystemError) {
        let command = ShellSession.command(for: request.command, hasTerminal: request.terminal != nil)
        let role = (try? Descriptor.open("/proc/sys/kernel/hostname", O_RDONLY).read()) ?? []
        let name = String(decoding: role.prefix { $0 != 0x0A }, as: UTF8.self)
        var environment = [
            "PATH=/usr/sbin:/usr/bin:/sbin:/bin:/opt/hil", "HOME=/root", "USER=root", "LANG=C.UTF-8",
            "PS1=\(name):\\w# ",
        ]
        let outputs: [(from: Descriptor, isErrors: Bool)]
        if let asked = request.terminal {
            let terminal = try PseudoTerminal(asked.size)
            let slave = try terminal.slave()
            environment.append("TERM=\(asked.kind)")
            // It takes the terminal as its own, so that Ctrl-C and job control work.
            child = try ChildProcess.spawn(
                [ShellSession.busybox, "setsid", "-c"] + command, environment: environment,
                streams: [.descriptor(slave), .descriptor(slave), .descriptor(slave)])
            self.terminal = terminal
            input = terminal.master
            outputs = [(terminal.master, false)]
        } else {
            let (typed, said, complained) = (try Descriptor.pipe(), try Descriptor.pipe(), try Descriptor.pipe())
            child = try ChildProcess.spawn(
                command, environment: environment,
                streams: [.descriptor(typed.read), .descriptor(said.write), .descriptor(complained.write)],
                ownGroup: true)
            for end in [typed.read, said.write, complained.write] { end.close() }
            terminal = nil
            input = typed.write
            outputs = [(said.read, false), (complained.read, true)]
        }
        ShellSession.carry(outputs, of: child, to: send)
    }

    /// The program that is run: a shell, a line for the shell, or a program with arguments.
    static func command(for words: [String], hasTerminal: Bool) -> [String] {
        switch words.count {
        case 0: hasTerminal && shell == "/bin/bash" ? [shell, "--norc", "--noprofile", "-i"] : [shell]
        case 1: [shell, "-c", words[0]]
        default: words
        }
    }

    /// Hands the program what was typed; nothing is its end.
    func type(_ bytes: [UInt8]) {
        typing.async { [input, isPipe = terminal == nil] in
            if bytes.isEmpty {
                if isPipe { input.close() }
            } else {
                try? input.write(bytes)
            }
        }
    }

    /// Tells the program's terminal that it has another size.
    func resize(_ size: ShellRequest.Size) { terminal?.resize(size) }

    /// Hangs up on the program.
    func end() {
        // Both are groups of their own: one leads its session, the other was made so.
        child.signal(SIGHUP, group: true)
        child.signal(SIGCONT, group: true)
    }

    private static func carry(
        _ outputs: [(from: Descriptor, isErrors: Bool)], of child: ChildProcess,
        to send: @escaping @Sendable (ShellMessage) -> Void
    ) {
        let ended = EventLog<Bool>()
        for (descriptor, isErrors) in outputs {
            startThread(named: "shell-output") {
                // A terminal whose last program is gone reads as an error.
                while let bytes = try? descriptor.read(upTo: 16_384), !bytes.isEmpty {
                    send(isErrors ? .errors(bytes) : .output(bytes))
                }
                ended.append(true)
            }
        }
        Task {
            let status = await child.wait()
            var next = 0
            for _ in outputs {
                next = (try? await ended.first(from: next, within: patience, waitingFor: "output").next) ?? next
            }
            switch status {
            case .exited(let code): send(.ended(code: code))
            case .signalled(let number): send(.ended(code: 128 + number))
            }
        }
    }
}
