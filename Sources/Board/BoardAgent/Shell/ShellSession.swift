import BoardProtocol
import Dispatch
import Glibc
import HILPOSIX
import HILTiming

/// A program that a person runs on the board, with a terminal or with pipes.
final class ShellSession: Sendable {
    private static let shell = access("/bin/bash", X_OK) == 0 ? "/bin/bash" : "/bin/sh"
    private static let busybox = "/usr/bin/busybox"
    /// How long to wait for the output of processes that outlive the program.
    private static let endLimit = Duration.seconds(1)

    private let child: ChildProcess
    private let terminal: PseudoTerminal?
    private let input: Descriptor
    /// Typed input waits here for a program that does not read.
    private let typing = DispatchQueue(label: "shell-input")

    /// Starts the program.
    ///
    /// - Parameter send: Sends the program's output and its end.
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
            let terminal = try PseudoTerminal.onBoard(asked.size)
            let slave = try terminal.open()
            environment.append("TERM=\(asked.kind)")
            // The program makes the terminal its controlling terminal, so that Ctrl-C and job control work.
            child = try ChildProcess.spawn(
                [ShellSession.busybox, "setsid", "-c"] + command, environment: environment,
                streams: [.descriptor(slave), .descriptor(slave), .descriptor(slave)])
            self.terminal = terminal
            input = terminal.controller
            outputs = [(terminal.controller, false)]
        } else {
            let (typed, output, errors) = (try Descriptor.pipe(), try Descriptor.pipe(), try Descriptor.pipe())
            child = try ChildProcess.spawn(
                command, environment: environment,
                streams: [.descriptor(typed.read), .descriptor(output.write), .descriptor(errors.write)],
                ownGroup: true)
            for end in [typed.read, output.write, errors.write] { end.close() }
            terminal = nil
            input = typed.write
            outputs = [(output.read, false), (errors.read, true)]
        }
        ShellSession.carry(outputs, of: child, to: send)
    }

    /// The command to run: an interactive shell, a shell with a command line, or a program with arguments.
    static func command(for words: [String], hasTerminal: Bool) -> [String] {
        switch words.count {
        case 0: hasTerminal && shell == "/bin/bash" ? [shell, "--norc", "--noprofile", "-i"] : [shell]
        case 1: [shell, "-c", words[0]]
        default: words
        }
    }

    /// Passes typed input to the program; empty input is its end.
    func type(_ bytes: [UInt8]) {
        typing.async { [input, isPipe = terminal == nil] in
            if bytes.isEmpty {
                if isPipe { input.close() }
            } else {
                try? input.write(bytes)
            }
        }
    }

    /// Changes the size of the program's terminal.
    func resize(_ size: ShellRequest.Size) { terminal?.resize(size) }

    /// Ends the program by a hang-up.
    func end() {
        // In both cases the child leads a group: with a terminal by setsid, with pipes by `ownGroup`.
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
                // Reading a terminal fails after its last program has ended.
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
                next = (try? await ended.first(from: next, within: endLimit, waitingFor: "output").next) ?? next
            }
            switch status {
            case .exited(let code): send(.ended(code: code))
            case .signalled(let number): send(.ended(code: 128 + number))
            }
        }
    }
}
