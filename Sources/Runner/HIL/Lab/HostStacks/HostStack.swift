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
    }

    /// The program and its arguments. The program is looked up in `PATH`, unless it is a path. No shell is involved.
    public var command: [String]
    /// Variables in addition to those of the runner.
    public var environment: [String: String]
    /// The working folder; nil for that of the runner. A relative path counts from that.
    public var workingFolder: String?
    /// Where it speaks H4.
    public var transport: Transport

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

    /// The same program with the path of its socket in place of the placeholder.
    ///
    /// - Throws: ``HostStackError`` if the program could not be started, or could not learn the path.
    func placed(at socket: String) throws(HostStackError) -> HostStack {
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
        guard case .unixSocket(let placeholder) = transport else { return self }
        guard !placeholder.isEmpty, (command + environment.values).contains(where: { $0.contains(placeholder) }) else {
            throw HostStackError(
                "starting \(program)", "neither its arguments nor its environment contain “\(placeholder)”",
                remedy: "write “\(placeholder)” where the program expects the path of its socket")
        }
        var placed = self
        placed.command = command.map { $0.replacing(placeholder, with: socket) }
        placed.environment = environment.mapValues { $0.replacing(placeholder, with: socket) }
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
    public let action: String
    /// Why it went wrong.
    public let reason: String
    /// What the reader can do about it, as a sentence without its full stop; nil if there is no advice.
    public let remedy: String?

    init(_ action: String, _ reason: String, remedy: String? = nil) {
        self.action = action
        self.reason = reason
        self.remedy = remedy
    }

    public var description: String { "\(action): \(reason)" + (remedy.map { " — \($0)" } ?? "") }
}
