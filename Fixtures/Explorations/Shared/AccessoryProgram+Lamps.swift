import HIL

extension AccessoryProgram {
    /// A lamp of one of the folders: its program, with or without its fault.
    ///
    /// - Parameters:
    ///   - folder: The name of the pair's folder.
    ///   - command: What starts it there. It gets `faulty` or `mended` as its last argument.
    static func lamp(
        _ folder: String, _ command: [String], _ build: Build, owns: Set<OwnedDaemon> = []
    ) -> AccessoryProgram {
        AccessoryProgram(
            named: "lamp", files: "Fixtures/Explorations", packages: packages, command: command + [build.rawValue],
            environment: ["PYTHONPATH": "../../Shared/Firmware"], folder: "\(folder)/Firmware", owns: owns,
            ready: .line(containing: "Lamp is on"))
    }

    /// A lamp in C, which is compiled as it starts.
    static func lampInC(_ folder: String, _ build: Build) -> AccessoryProgram {
        let compile = "tcc -I../../Shared/Firmware -o lamp lamp.c && exec ./lamp \"$0\""
        return lamp(folder, ["sh", "-c", compile], build)
    }

    /// All lamps have the same, so that they share a board.
    private static let packages = ["python3-dbus", "python3-gi", "tcc", "libc6-dev"]
}
