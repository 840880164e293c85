import BoardProtocol
import HILTiming
import RigModel

/// The program of an accessory's maker, to run on the accessory board: any language, or the firmware as it ships.
///
/// ```swift
/// extension AccessoryProgram {
///     static let thermostat = AccessoryProgram(
///         named: "thermostat", files: "Accessory", packages: ["python3-dbus"], command: ["python3", "thermostat.py"],
///         owns: [.hostapd], ready: .advertisement)
/// }
/// let thermostat = try await lab.accessory.run(.thermostat)
/// ```
public struct AccessoryProgram: Sendable, Hashable {
    /// The name in logs, reports and messages: letters, digits, `-` and `_`.
    public var name: String
    /// The folder with the program's files, relative to the package of the scenarios; nil for none.
    ///
    /// Regular files, folders and symbolic links, with their permissions, 24 MiB at most. The files of the program that a
    /// scenario declares are a disk of the board, made once for the same files; those of another are sent to the board
    /// when it starts. Each ``AccessoryBoard/run(_:adapter:fileID:filePath:line:)`` has them as they are in the package.
    public var files: String?
    /// The Debian packages that the program needs on its board.
    public var packages: [String]
    /// The program and its arguments. A program with a `/` is looked for in the working folder, any other on the board.
    ///
    /// No shell is involved: for a shell command, write `["sh", "-c", "…"]`.
    public var command: [String]
    /// Variables in addition to `PATH`, `HOME`, `USER`, `LANG` (`C.UTF-8`) and `PYTHONUNBUFFERED`.
    public var environment: [String: String]
    /// The working folder: relative to the files, or an absolute path of the board; nil for the folder of the files.
    public var folder: String?
    /// The user of the board that runs it; nil for root.
    public var user: String?
    /// The daemons that the program runs itself. Meanwhile the board does not run these, and leaves their radio alone.
    public var owns: Set<OwnedDaemon>
    /// What has to be seen before the scenario continues.
    public var readiness: ProgramReadiness
    /// How long it may take to be ready.
    public var readyLimit: Duration
    /// Whether it may exit with 0 by itself. Any other end that the scenario did not ask for is a failure.
    public var endsByItself: Bool
    /// Commands to reset it, press its buttons and so on.
    public var hooks: AccessoryHooks

    /// - Parameters:
    ///   - name: The name in logs, reports and messages.
    ///   - files: The folder with its files, relative to the package of the scenarios.
    ///   - packages: The Debian packages that it needs on its board.
    ///   - command: The program and its arguments; never given to a shell.
    ///   - folder: The working folder; nil for the folder of the files.
    ///   - user: The user of the board that runs it; nil for root.
    ///   - owns: The daemons that it runs itself.
    ///   - readiness: What has to be seen before the scenario continues.
    ///   - readyLimit: How long that may take.
    ///   - endsByItself: Whether it may exit with 0 by itself.
    public init(
        named name: String = "program", files: String? = nil, packages: [String] = [], command: [String],
        environment: [String: String] = [:], folder: String? = nil, user: String? = nil, owns: Set<OwnedDaemon> = [],
        ready readiness: ProgramReadiness = .started, within readyLimit: Duration = .seconds(20),
        endsByItself: Bool = false, hooks: AccessoryHooks = .none
    ) {
        self.name = name
        self.files = files
        self.packages = packages
        self.command = command
        self.environment = environment
        self.folder = folder
        self.user = user
        self.owns = owns
        self.readiness = readiness
        self.readyLimit = readyLimit
        self.endsByItself = endsByItself
        self.hooks = hooks
    }
}

/// A mistake in the declaration of a program, found without a board.
public struct ProgramMistake: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong and what to do, with the program's name.
    public let description: String

    init(_ name: String, _ what: String) { description = "the program “\(name)”: \(what)" }
}

extension AccessoryProgram {
    /// Finds mistakes in the declaration that need no board.
    ///
    /// - Parameter package: The folder of the package of the scenarios.
    /// - Throws: ``ProgramMistake``.
    package func check(in package: String) throws(ProgramMistake) {
        guard name.utf8.count <= 40, name.wholeMatch(of: /[A-Za-z0-9_-]+/) != nil else {
            throw ProgramMistake(name, "its name may have 40 letters, digits, - and _")
        }
        guard command.first?.isEmpty == false else { throw ProgramMistake(name, "its command is empty") }
        for package in packages where !BoardSystem.isPackageName(package) {
            throw ProgramMistake(name, "“\(package)” is not the name of a Debian package")
        }
        for variable in environment.keys where variable.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) == nil {
            throw ProgramMistake(name, "“\(variable)” is not the name of an environment variable")
        }
        let words = command + environment.values + [folder, user].compactMap { $0 }
        guard words.allSatisfy({ !$0.utf8.contains(0) }) else {
            throw ProgramMistake(name, "a word of its command, environment, folder or user holds a zero byte")
        }
        guard let path = filesPath(in: package) else { return }
        guard isFolder(path) else {
            throw ProgramMistake(name, "its folder of files “\(files ?? "")” is missing: looked for \(path)")
        }
    }

    /// Its files; nil if it has none.
    ///
    /// - Throws: As `EncodedPayload.init`.
    package func payload(in package: String) throws -> EncodedPayload? {
        try filesPath(in: package).map { try EncodedPayload(folder: $0) }
    }

    /// What a board has to know to start it.
    ///
    /// - Parameters:
    ///   - payload: Its files; nil if it has none.
    ///   - keepsFiles: Whether its folder stays as the last run left it.
    func request(with payload: PayloadID?, keepsFiles: Bool) -> ProgramRequest {
        ProgramRequest(
            payload: payload, keepsFiles: keepsFiles, command: command, environment: environment, folder: folder,
            user: user, owns: owns)
    }

    /// What a rig has to know to start it before a scenario asks for it.
    package func start(with payload: PayloadID?) -> ProgramStart {
        ProgramStart(
            request(with: payload, keepsFiles: false), readiness, milliseconds: Int(readyLimit.seconds * 1000))
    }

    /// The absolute path of its files; nil if it has none.
    private func filesPath(in package: String) -> String? {
        files.map { $0.hasPrefix("/") ? $0 : "\(package)/\($0)" }
    }
}
