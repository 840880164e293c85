/// The modules of a kernel by name, from the files that depmod writes. Pure.
struct KernelModules: Sendable {
    /// A module that is a file.
    struct Module: Sendable, Equatable {
        /// Relative to the folder of the modules, as `kernel/net/bluetooth/bluetooth.ko.xz`.
        var path: String
        /// The paths of all modules that it needs, in the order of loading.
        var needs: [String]
    }

    private let modules: [String: Module]
    private let builtIn: Set<String>
    /// The modules that a module wants to be loaded first, without using their symbols.
    private var wishes: [String: [String]] = [:]
    /// Modules by their other names.
    private var aliases: [String: [String]] = [:]

    /// - Parameters:
    ///   - dependencies: The text of `modules.dep`.
    ///   - builtIn: The text of `modules.builtin`.
    ///   - softDependencies: The text of `modules.softdep`.
    ///   - aliases: The text of `modules.alias`.
    init(dependencies: String, builtIn: String, softDependencies: String = "", aliases: String = "") {
        var modules: [String: Module] = [:]
        for line in dependencies.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard let path = parts.first.map(String.init) else { continue }
            let needs = parts.count > 1 ? parts[1].split(separator: " ").map(String.init) : []
            // The last one is loaded first.
            modules[KernelModules.name(path)] = Module(path: path, needs: needs.reversed())
        }
        self.modules = modules
        self.builtIn = Set(builtIn.split(separator: "\n").map { KernelModules.name(String($0)) })
        for line in softDependencies.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            guard words.count > 2, words[0] == "softdep", let start = words.firstIndex(of: "pre:") else { continue }
            wishes[KernelModules.name(words[1]), default: []] += words[(start + 1)...].prefix { !$0.hasSuffix(":") }
        }
        let wanted = Set(wishes.values.joined())
        for line in aliases.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            guard words.count == 3, wanted.contains(words[1]) else { continue }
            self.aliases[words[1], default: []].append(KernelModules.name(words[2]))
        }
    }

    /// The paths of all modules to load for a module, in order, with its own file last; empty if it is built in.
    func order(of name: String) -> [String] {
        var (paths, open) = ([String](), Set<String>())
        add(name, to: &paths, &open)
        return paths
    }

    private func add(_ name: String, to paths: inout [String], _ open: inout Set<String>) {
        // A list from outside may contain a cycle.
        guard let module = modules[name], open.insert(name).inserted else { return }
        for need in module.needs { add(KernelModules.name(need), to: &paths, &open) }
        for wish in wishes[name] ?? [] {
            let plain = KernelModules.name(wish)
            for found in modules[plain] == nil ? aliases[wish] ?? [] : [plain] { add(found, to: &paths, &open) }
        }
        paths.append(module.path)
    }

    /// The file of a module; nil if the kernel lacks it or has it built in.
    subscript(name: String) -> Module? { modules[name] }

    /// Whether the kernel has it, as a file or built in.
    func has(_ name: String) -> Bool { modules[name] != nil || builtIn.contains(name) }

    /// The name of a module from its file: `kernel/fs/erofs/erofs.ko.xz` is `erofs`.
    static func name(_ path: String) -> String {
        let file = path.split(separator: "/").last ?? ""
        return String(file.prefix { $0 != "." }).replacing("-", with: "_")
    }
}
