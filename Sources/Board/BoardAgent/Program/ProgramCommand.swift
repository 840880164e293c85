import BoardProtocol
import Glibc
import HILPOSIX
import RadioModel

/// How a program is started. It is checked first, so that a mistake gets a clear message, not one of a shell.
struct ProgramCommand: Sendable, Equatable {
    let arguments: [String]
    /// `NAME=value` strings.
    let environment: [String]
    /// The working folder, absolute.
    let folder: String

    /// Where programs are looked for, unless the environment has another `PATH`.
    static let path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

    /// - Parameter files: The folder with the program's files; nil if it has none.
    /// - Throws: ``RadioModel/RadioError/invalid(_:)`` with the mistake and its remedy.
    init(_ request: ProgramRequest, files: String?) throws(RadioError) {
        let texts = request.command + request.environment.flatMap { [$0.key, $0.value] } + [request.folder ?? ""]
        guard texts.allSatisfy({ !$0.utf8.contains(0) }) else {
            throw .invalid("a word of the program's command or environment contains a zero byte")
        }
        guard let name = request.command.first, !name.isEmpty else { throw .invalid("the program's command is empty") }
        let user = try request.user.map { name throws(RadioError) in try UserEntry(named: name) }
        folder = try ProgramCommand.workingFolder(request.folder, files)
        var variables = [
            "PATH": ProgramCommand.path, "HOME": user?.home ?? "/root", "USER": user?.name ?? "root",
            "LANG": "C.UTF-8",
            // Python buffers output to a pipe until it has 8 KiB.
            "PYTHONUNBUFFERED": "1",
        ]
        variables.merge(request.environment) { $1 }
        environment = variables.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        try ProgramCommand.check(name, in: folder, searching: variables["PATH"] ?? "")
        let other = ["setpriv", "--reuid", "\(user?.user ?? 0)", "--regid", "\(user?.group ?? 0)", "--init-groups"]
        // The kernel clears the signal for the parent's death when the user changes.
        let changingUser = user == nil ? [] : other + ["--pdeathsig", "KILL", "--"]
        arguments = changingUser + request.command
    }

    /// The command line that starts the program inside a fence, in its folder, and ends it with this process.
    ///
    /// - Parameter entrance: The entrance to the compartment of its adapter; nil for the board itself.
    func spawned(in fence: ProcessFence?, through entrance: CompartmentEntrance? = nil) throws(SystemError) -> [String]
    {
        // If this process dies before the kernel was asked, no signal comes: so the child checks its parent first.
        let script = """
            [ $PPID = \(getpid()) ] || exit 1
            [ -z "$1" ] || echo 0 >"$1" || exit 1
            cd -- "$2" || exit 1
            shift 2
            exec "$@"
            """
        let start = ["setpriv", "--pdeathsig", "KILL", "--", "sh", "-c", script, "sh", fence?.entrance ?? ""]
        guard let entrance else { return start + [folder] + arguments }
        return try start + ["/"] + entrance.supervised(arguments, in: folder)
    }

    private static func workingFolder(_ folder: String?, _ files: String?) throws(RadioError) -> String {
        let base = files ?? "/"
        let path = folder.map { $0.hasPrefix("/") ? $0 : "\(base)/\($0)" } ?? base
        guard FileKind(of: path) == .folder else {
            throw .invalid(
                "the program's working folder \(folder ?? path) is not on the board: "
                    + "name a folder of the program's files, or an absolute path of the board")
        }
        return path
    }

    private static func check(_ name: String, in folder: String, searching path: String) throws(RadioError) {
        let candidates =
            name.contains("/")
            ? [name.hasPrefix("/") ? name : "\(folder)/\(name)"]
            : path.split(separator: ":").map { "\($0)/\(name)" }
        guard let found = candidates.first(where: { FileKind(of: $0) == .file && access($0, X_OK) == 0 }) else {
            throw .invalid(reason(name, candidates, folder))
        }
        guard let interpreter = interpreter(of: found), access(interpreter, X_OK) != 0 else { return }
        throw .invalid(
            "“\(name)” is a script for \(interpreter), which is not on the board: add its Debian package to `packages`")
    }

    private static func reason(_ name: String, _ candidates: [String], _ folder: String) -> String {
        if let found = candidates.first(where: { FileKind(of: $0) != nil }) {
            return FileKind(of: found) == .file
                ? "“\(name)” is on the board, but not executable: run `chmod +x` on the file in the package"
                : "“\(name)” is not a file on the board: name a program"
        }
        if name.contains("/") { return "“\(name)” is not on the board: add it to the program's files" }
        if FileKind(of: "\(folder)/\(name)") == .file {
            return "no program is called “\(name)”; run the file of this name as “./\(name)”"
        }
        return "the board has no program “\(name)”: add its Debian package to `packages`, or the program to its files"
    }

    /// The program that the first line of a script names; nil if the file is not a script.
    private static func interpreter(of path: String) -> String? {
        guard let start = try? Descriptor.open(path, O_RDONLY).read(upTo: 256), start.starts(with: [0x23, 0x21]) else {
            return nil
        }
        let line = String(decoding: start.dropFirst(2).prefix { $0 != 0x0A }, as: UTF8.self)
        return line.split(whereSeparator: \.isWhitespace).first.map(String.init)
    }
}

/// The kind of file at a path.
enum FileKind: Sendable {
    case file
    case folder
    case other

    /// Nil if the path does not exist. Symbolic links are followed.
    init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        switch status.st_mode & S_IFMT {
        case S_IFREG: self = .file
        case S_IFDIR: self = .folder
        default: self = .other
        }
    }
}

/// A user of the board.
private struct UserEntry {
    let name: String
    let user: uid_t
    let group: gid_t
    let home: String

    init(named name: String) throws(RadioError) {
        var (entry, found) = (passwd(), UnsafeMutablePointer<passwd>?.none)
        var buffer = [CChar](repeating: 0, count: 16_384)
        getpwnam_r(name, &entry, &buffer, buffer.count, &found)
        guard found != nil else {
            throw .invalid("the board has no user “\(name)”: leave the user out, or name one of its /etc/passwd")
        }
        self.name = name
        (user, group) = (entry.pw_uid, entry.pw_gid)
        home = String(cString: entry.pw_dir)
    }
}
