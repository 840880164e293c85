import HIL

extension AccessoryProgram {
    /// Tells where its files are, and leaves one behind.
    fileprivate static let untidy = AccessoryProgram(
        named: "untidy", files: "Tests/Programs/Trials/BoardPrograms/Accessory",
        command: [
            "sh", "-c",
            """
            [ -x thermostat.sh ] && [ ! -e left ] && echo fresh || echo stale
            [ -n "$(grep " $PWD overlay " /proc/mounts)" ] && echo on a disk || echo sent
            rm -f thermostat.sh && echo x >left && echo changed
            exec sleep 1000
            """,
        ], ready: .line(containing: "changed"))

    /// Reads one of its files by its whole path, as an interpreter does with its modules.
    fileprivate static let reader = AccessoryProgram(
        named: "reader", files: "Tests/Programs/Trials/BoardPrograms/Accessory",
        command: ["sh", "-c", "head -n 1 \"$PWD/thermostat.sh\"; exec sleep 1000"], user: "nobody")
}

let filesOfUser = Scenario("A program of another user of the board reads its files", .accessory(.reader)) { lab in
    let line = try await lab.accessory.run(.reader).prints("#!", within: .seconds(5))
    lab.expect(line, equals: "#!/bin/sh", "it is the first line of the file")
}

let filesOfProgram = Scenario(
    "The files of a declared program are on a disk of its board, may be changed, and are fresh at each start",
    .accessory(.untidy)
) { lab in
    for _ in 1...2 {
        let program = try await lab.accessory.run(.untidy)
        lab.expect(program.lines.map(\.text), equals: ["fresh", "on a disk", "changed"], "it has its files")
        try await program.restart(grace: .zero)
        try await program.prints("stale")
        try await program.stop(grace: .zero)
    }
}
