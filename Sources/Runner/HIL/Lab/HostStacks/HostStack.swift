import RadioModel

/// A program with a Bluetooth host stack, which is an accessory without a board: the air gives it a controller.
///
/// It runs on the runner's machine and speaks H4 (Core Specification, volume 4, part A). Examples are a program over
/// Bumble, or firmware that is built for Linux. Attach it with
/// ``AirHandle/attach(_:named:at:fileID:filePath:line:)``.
public struct HostStack: Sendable, Hashable {
    /// Where the program speaks H4.
    public enum Transport: Sendable, Hashable {
        /// On its standard input and output. Only its standard error has lines for people then.
        case standardStreams
        /// On a Unix stream socket that it connects to. The path replaces the placeholder in the command and in the
        /// values of the environment.
        case unixSocket(placeholder: String = "{socket}")
        /// On a TCP connection that it opens to a port of 127.0.0.1, as NimBLE's Linux port does. The number of the port
        /// replaces the placeholder. Only programs of the same user are let in.
        case tcp(placeholder: String = "{port}")
        /// On a terminal that it opens like a serial port, as BTstack's Linux port does. The path replaces the
        /// placeholder.
        case pty(placeholder: String = "{pty}")

        /// What stands for the place where the program finds its controller, and what that place is.
        fileprivate var placeholder: (text: String, meaning: String)? {
            switch self {
            case .standardStreams: nil
            case .unixSocket(let text): (text, "the path of its socket")
            case .tcp(let text): (text, "the number of its port")
            case .pty(let text): (text, "the path of its terminal")
            }
        }
    }

    /// The program and its arguments. The program is looked up in `PATH`, unless it is a path. No shell is involved.
    package var command: [String]
    /// Variables in addition to those of the runner.
    package var environment: [String: String]
    /// The working folder; nil for that of the runner. A relative path counts from that.
    package var workingFolder: String?
    /// Where it speaks H4.
    package var transport: Transport

    /// A program with a host stack.
    ///
    /// - Parameters:
    ///   - command: The program and its arguments. The program is looked up in `PATH`, unless it is a path; a relative
    ///     path counts from the working folder. No shell is involved.
    ///   - environment: Variables in addition to those of the runner.
    ///   - workingFolder: nil for the runner's. A relative path counts from that.
    ///   - transport: Where it speaks H4.
    public static func hostStack(
        command: [String], environment: [String: String] = [:], workingFolder: String? = nil,
        speaking transport: Transport = .standardStreams
    ) -> HostStack {
        HostStack(command: command, environment: environment, workingFolder: workingFolder, transport: transport)
    }

    /// The same program with the place of its controller instead of the placeholder.
    ///
    /// - Throws: ``HostStackError`` if the program could not be started, or could not learn the place.
    func placed(at place: String) throws(HostStackError) -> HostStack {
        guard let program = command.first, !program.isEmpty else {
            throw HostStackError(
                "starting a host stack", "its command is empty", remedy: "name the program and its arguments")
        }
        let texts = command + Array(environment.keys) + Array(environment.values) + [workingFolder ?? ""]
        guard !texts.contains(where: { $0.utf8.contains(0) }) else {
            throw HostStackError(
                "starting \(program)", "a word of its declaration contains a zero byte", remedy: "remove it")
        }
        guard !environment.keys.contains(where: { $0.isEmpty || $0.contains("=") }) else {
            throw HostStackError(
                "starting \(program)", "a variable's name is empty or contains “=”", remedy: "give it another name")
        }
        guard let (placeholder, meaning) = transport.placeholder else { return self }
        guard !placeholder.isEmpty else {
            throw HostStackError(
                "starting \(program)", "its placeholder is empty", remedy: "name a text that stands for \(meaning)")
        }
        guard (command + environment.values).contains(where: { $0.contains(placeholder) }) else {
            throw HostStackError(
                "starting \(program)", "neither its arguments nor its environment contain “\(placeholder)”",
                remedy: "write “\(placeholder)” where the program expects \(meaning)")
        }
        var placed = self
        placed.command = command.map { $0.replacing(placeholder, with: place) }
        placed.environment = environment.mapValues { $0.replacing(placeholder, with: place) }
        return placed
    }
}

/// A host stack that a scenario declares with its traits.
package struct DeclaredHostStack: Sendable, Hashable {
    package var stack: HostStack
    package var name: String
    package var address: DeviceAddress?

    /// Finds mistakes in the declaration that need no rig.
    ///
    /// - Throws: ``HostStackError``.
    package func check() throws(HostStackError) { _ = try stack.placed(at: "") }
}

/// What is wrong with a program that has a host stack. It is the fault of the program or of its declaration.
public struct HostStackError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was being done: `starting keyboard (python3 keyboard.py)`.
    package let action: String
    /// Why it went wrong.
    package let reason: String
    /// What the reader can do about it, as a sentence without its full stop; nil if there is no advice.
    package let remedy: String?

    init(_ action: String, _ reason: String, remedy: String? = nil) {
        self.action = action
        self.reason = reason
        self.remedy = remedy
    }

    public var description: String { "\(action): \(reason)" + (remedy.map { " — \($0)" } ?? "") }
}
